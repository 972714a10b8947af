import type { getUsage } from '../../../../contract/organization/usage.ts';
import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { Table } from '../../../kit/table.tsx';
import { useData } from '../api/use-data.ts';
import { BarChart } from '../charts/chart.tsx';
import { AsCurl } from '../kit/as-curl.tsx';
import { Blank } from '../kit/blank.tsx';
import { useCurl } from '../kit/build-curl.ts';
import { Page, Section } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { saveFile } from '../kit/save-file.ts';
import { States } from '../kit/states.tsx';
import { useProjectId, useSearch } from '../kit/use-search.ts';
import { Filters } from '../list/filters.tsx';
import { writeCsv } from '../list/write-csv.ts';
import { useLanguage } from '../words/use-words.ts';
import { compareTotals, type UsageResult, type UsageTotal } from './sum-usage.ts';
import { type BucketRange, useBucketRange, useBuckets } from './use-bucket-range.ts';
import { Storage } from './storage.tsx';
import { useUsageWords } from './use-usage-words.ts';
import type { UsageWords } from './words/en.ts';
import '../kit/tabs.css';
import './usage.css';

const POLL_MS = 30_000;
const TARGET = 'GET /v1/organizations/{orgId}/usage';

/** What the organization used, over time and in all, beside as long a time before. */
export function Usage() {
  const words = useUsageWords();
  const range = useUsageRange();
  const [search] = useSearch();
  const { by = 'tool' } = search;
  const chart = useUsage({ ...range.asked, bucket: range.bucket });
  const totals = useUsage({ ...range.asked, bucket: 'total', by });
  const before = useUsage({ ...range.asked, ...range.before, bucket: 'total', by });
  const curl = useCurl()<typeof getUsage>(TARGET, {
    query: { ...range.asked, bucket: 'total', by } as never,
  });
  const toOptions = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  return (
    <Page name="usage" title={words.title} lead={words.lead}>
      <Choices label={words.filters.range} name="range" chosen={range.name} options={words.ranges} />
      <Choices label={words.filters.by} name="by" chosen={by} options={words.by} />
      <Filters
        filters={[
          { kind: 'choice', name: 'kind', label: words.filters.kind, options: toOptions(words.kinds) },
        ]}
      />
      <States query={chart}>
        {({ results }) =>
          results.length === 0 ? <Blank text={words.empty} /> : <UsageChart results={results} range={range} />
        }
      </States>
      <States query={totals}>
        {({ results, names }) => {
          const compared = compareTotals(results, before.data?.results ?? []);
          const allNames = { ...before.data?.names, ...names };
          return compared.length === 0 ? null : (
            <UsageTotals totals={compared} nameOf={createNaming(words, { by, names: allNames })} />
          );
        }}
      </States>
      <AsCurl command={curl} />
      {search['kind'] === undefined && <Storage days={range.bucket === 'hour' ? 7 : range.buckets} />}
    </Page>
  );
}

const useUsage = (query: Readonly<Record<string, string>>) =>
  useData<typeof getUsage>(TARGET, { query }, { keepPrevious: true, pollMs: POLL_MS });

interface ChoicesProps {
  label: string;
  /** The parameter of the address. */
  name: string;
  chosen: string;
  options: Readonly<Record<string, string>>;
}

/** One of some views, each with an address. */
function Choices({ label, name, chosen, options }: ChoicesProps) {
  const [search] = useSearch();
  return (
    <nav className="tabs" aria-label={label}>
      {Object.entries(options).map(([value, text]) => (
        <span key={value} className={value === chosen ? 'tab tab-active' : 'tab'}>
          <PageLink to="/usage" search={{ ...search, [name]: value }} isCurrent={value === chosen}>
            {text}
          </PageLink>
        </span>
      ))}
    </nav>
  );
}

interface UsageRange extends BucketRange {
  /** What is asked for, but for how it is grouped. */
  asked: Readonly<Record<string, string>>;
  /** As long a time before. */
  before: { from: string; to: string };
}

/** What the address asks for. */
function useUsageRange(): UsageRange {
  const [{ kind }] = useSearch();
  const projectId = useProjectId();
  const range = useBucketRange();
  const { from, to } = range;
  return {
    ...range,
    asked: {
      from: from.toISOString(),
      to: to.toISOString(),
      ...(kind !== undefined && { kind }),
      ...(projectId !== null && { projectId }),
    },
    before: {
      from: new Date(2 * from.getTime() - to.getTime()).toISOString(),
      to: from.toISOString(),
    },
  };
}

/** Names what a total is of. */
type NameTotal = (total: Pick<UsageTotal, 'kind' | 'key'>) => string;

/** Returns how a key is called: an app or a project by its name, an outcome and a mail in words. */
const createNaming =
  (words: UsageWords, { by, names }: { by: string; names: Readonly<Record<string, string>> }): NameTotal =>
  ({ kind, key }): string => {
    if (key === null) return words.none;
    if (by === 'outcome') return words.outcomes[key] ?? key;
    return (by === 'tool' && kind === 'mail' ? words.mails : names)[key] ?? key;
  };

function UsageChart({ results, range }: { results: readonly UsageResult[]; range: UsageRange }) {
  const words = useUsageWords();
  const used = new Set(results.map(({ kind }) => kind));
  const kinds = Object.entries(words.kinds).filter(([kind]) => used.has(kind as UsageResult['kind']));
  return (
    <BarChart
      title={range.bucket === 'hour' ? words.perHour : words.perDay}
      axis={range.bucket === 'hour' ? words.hour : words.day}
      series={kinds.map(([name, label]) => ({ name, label }))}
      points={useBuckets(results, range)}
    />
  );
}

/** Saves the table as CSV, with the keys beside what they are called. */
function saveTotals(totals: readonly UsageTotal[], nameOf: NameTotal): void {
  const header = ['kind', 'key', 'name', 'count', 'before', 'refused', 'failed', 'p50Ms', 'p95Ms'];
  const rows = totals.map(({ kind, key, count, before, refused, failed, p50Ms, p95Ms }) => [
    kind,
    key ?? '',
    nameOf({ kind, key }),
    count,
    before,
    refused,
    failed,
    p50Ms ?? '',
    p95Ms ?? '',
  ]);
  saveFile('usage.csv', writeCsv([header, ...rows]), 'text/csv');
}

function UsageTotals({ totals, nameOf }: { totals: readonly UsageTotal[]; nameOf: NameTotal }) {
  const words = useUsageWords();
  const { language } = useLanguage();
  const { columns } = words;
  return (
    <Section
      title={words.totals}
      actions={
        <Button variant="quiet" onPress={() => saveTotals(totals, nameOf)}>
          {words.csv}
        </Button>
      }
    >
      <div className="usage-totals">
        <Table
          caption={words.totals}
          columns={[
            { header: columns.key, render: nameOf },
            { header: columns.kind, render: ({ kind }: UsageTotal) => words.kinds[kind] },
            ...(['count', 'before', 'refused', 'failed', 'p50Ms', 'p95Ms'] as const).map((name) => ({
              header: columns[name],
              numeric: true,
              render: (total: UsageTotal) =>
                total[name] === null ? '–' : formatNumber(total[name], language),
            })),
          ]}
          rows={totals}
          getKey={({ kind, key }) => `${kind} ${key}`}
          empty={null}
        />
      </div>
    </Section>
  );
}
