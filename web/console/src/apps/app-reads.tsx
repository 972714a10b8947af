import type { ClientDetail } from '../../../../contract/organization/clients.ts';
import type { getUsage } from '../../../../contract/organization/usage.ts';
import { SelectField } from '../../../kit/select-field.tsx';
import { usePermission } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { BarChart } from '../charts/chart.tsx';
import { AsCurl } from '../kit/as-curl.tsx';
import { useCurl } from '../kit/build-curl.ts';
import { Section } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { States } from '../kit/states.tsx';
import { useProjectId, useSearch } from '../kit/use-search.ts';
import { RANGE_NAMES, useBucketRange, useBuckets, type BucketRange } from '../usage/use-bucket-range.ts';
import { splitByOutcome, READ_OUTCOMES } from '../usage/sum-usage.ts';
import { useAppWords } from './use-app-words.ts';

const TARGET = 'GET /v1/organizations/{orgId}/usage';
const POLL_MS = 30_000;

/** How often the app read, over time, under all of its registrations; what was refused stands apart. */
export function AppReads({ app }: { app: ClientDetail }) {
  const { reads: words } = useAppWords();
  const isPermitted = usePermission('usage.read');
  return isPermitted ? (
    <Section title={words.title}>
      <ReadsOverTime appId={app.id} />
    </Section>
  ) : null;
}

function ReadsOverTime({ appId }: { appId: ClientDetail['id'] }) {
  const { reads: words } = useAppWords();
  const [, setSearch] = useSearch();
  const range = useBucketRange();
  const projectId = useProjectId();
  const asked = {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    bucket: range.bucket,
    appId,
    ...(projectId !== null && { projectId }),
  } as never;
  const query = useData<typeof getUsage>(TARGET, { query: asked }, { keepPrevious: true, pollMs: POLL_MS });
  const curl = useCurl()<typeof getUsage>(TARGET, { query: asked });
  return (
    <>
      <div className="form-narrow">
        <SelectField
          name="range"
          label={words.range}
          value={range.name}
          options={RANGE_NAMES.map((value) => ({ value, label: words.ranges[value] }))}
          onChange={(name) => setSearch({ range: name })}
        />
      </div>
      <States query={query}>
        {({ results }) => <ReadsChart {...{ appId, range }} reads={splitByOutcome(results)} />}
      </States>
      <AsCurl command={curl} />
    </>
  );
}

interface ReadsChartProps {
  appId: string;
  range: BucketRange;
  reads: ReturnType<typeof splitByOutcome>;
}

function ReadsChart({ appId, range, reads }: ReadsChartProps) {
  const { reads: words } = useAppWords();
  const mayList = usePermission('audit.read');
  const buckets = useBuckets(reads, range);
  if (reads.every(({ count }) => count === 0)) return <p className="soft">{words.none}</p>;
  const linkTo = (from: Date, to: Date) => ({
    to: '/reads',
    search: { appId, since: from.toISOString(), until: to.toISOString() },
  });
  return (
    <>
      <BarChart
        title={range.bucket === 'hour' ? words.perHour : words.perDay}
        axis={range.bucket === 'hour' ? words.hour : words.day}
        series={READ_OUTCOMES.map((name) => ({ name, label: words.outcomes[name] }))}
        points={buckets.map(({ label, values, from, to }) => ({
          label,
          values,
          ...(mayList && { link: linkTo(from, to) }),
        }))}
      />
      {mayList && (
        <p>
          <PageLink {...linkTo(range.from, range.to)}>{words.all}</PageLink>
        </p>
      )}
      {mayList && reads.some(({ kind, count }) => kind === 'failed' && count > 0) && (
        <p className="soft">{words.failed}</p>
      )}
    </>
  );
}
