import type { Webhook } from '../../../../contract/webhooks/webhooks.ts';
import { SelectField } from '../../../kit/select-field.tsx';
import { useConsole } from '../api/use-console.ts';
import { BarChart, LineChart } from '../charts/chart.tsx';
import type { Point } from '../charts/chart-types.ts';
import { Section } from '../kit/page.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { Blank } from '../kit/blank.tsx';
import { States } from '../kit/states.tsx';
import { useTimeZone } from '../kit/time-zone.tsx';
import { useSearch } from '../kit/use-search.ts';
import { useLanguage } from '../words/use-words.ts';
import { useAnswerNames } from './answer-names.ts';
import { DAY_MS, getBucketEnd, type WebhookStats } from './stats.ts';
import { useStats } from './use-stats.ts';
import { useWebhookWords } from './use-webhook-words.ts';

const RANGES = {
  day: { lengthMs: DAY_MS, bucket: 'hour' },
  week: { lengthMs: 7 * DAY_MS, bucket: 'day' },
  month: { lengthMs: 30 * DAY_MS, bucket: 'day' },
  quarter: { lengthMs: 90 * DAY_MS, bucket: 'day' },
} as const;

type RangeName = keyof typeof RANGES;
const RANGE_NAMES = Object.keys(RANGES) as RangeName[];

/** How deliveries went over time. */
export function Overview({ webhook }: { webhook: Webhook }) {
  const { overview: words } = useWebhookWords();
  const [search, setSearch] = useSearch();
  const name = RANGE_NAMES.find((each) => each === search['range']) ?? 'week';
  const query = useStats(webhook.id, RANGES[name]);
  return (
    <>
      <div className="form-narrow">
        <SelectField
          name="range"
          label={words.range}
          value={name}
          options={RANGE_NAMES.map((value) => ({ value, label: words.ranges[value] }))}
          onChange={(range) => setSearch({ range })}
        />
      </div>
      <States query={query}>
        {(stats) =>
          stats.deliveries.length === 0 && stats.attempts.length === 0 ? (
            <Blank text={words.nothing} />
          ) : (
            <StatsCharts webhookId={webhook.id} stats={stats} bucket={RANGES[name].bucket} />
          )
        }
      </States>
      <Changes webhook={webhook} />
    </>
  );
}

interface StatsChartsProps {
  webhookId: string;
  stats: WebhookStats;
  bucket: 'hour' | 'day';
}

function StatsCharts({ webhookId, stats, bucket }: StatsChartsProps) {
  const { overview: words, deliveries } = useWebhookWords();
  const { states } = deliveries;
  const format = useBucketFormat(bucket);
  const { timeZone } = useConsole().organization;
  const to = `/webhooks/${webhookId}`;
  const link = (at: string) => ({
    to,
    search: { tab: 'deliveries', since: at, until: getBucketEnd(at, bucket, timeZone) },
  });
  const toPoint = (at: string, values: Point['values']): Point => ({
    label: format(at),
    values,
    link: link(at),
  });
  const quantiles = [
    { name: 'p50', label: words.p50 },
    { name: 'p95', label: words.p95 },
  ];
  return (
    <div className="page">
      <Section title={words.deliveries}>
        <BarChart
          title={words.deliveries}
          isTitled
          axis={words.axisTime}
          series={OUTCOMES.map((name) => ({ name, label: states[name] }))}
          points={stats.deliveries.map(({ at, ...values }) => toPoint(at, values))}
        />
      </Section>
      <Section title={words.times}>
        <LineChart
          title={words.times}
          isTitled
          axis={words.axisTime}
          series={quantiles}
          points={stats.attempts.map(({ at, durationMs }) => toPoint(at, durationMs))}
        />
        <LineChart
          title={words.delay}
          axis={words.axisTime}
          series={quantiles}
          points={stats.attempts.flatMap(({ at, delayMs }) => (delayMs === null ? [] : toPoint(at, delayMs)))}
        />
      </Section>
      <AnswersChart to={to} answers={stats.answers} />
    </div>
  );
}

const OUTCOMES = ['delivered', 'pending', 'retrying', 'exhausted', 'dropped'] as const;

function AnswersChart({ to, answers }: { to: string; answers: WebhookStats['answers'] }) {
  const { overview: words } = useWebhookWords();
  const names = useAnswerNames();
  return (
    <Section title={words.answers}>
      <BarChart
        title={words.answers}
        isTitled
        axis={words.axisAnswer}
        series={[{ name: 'attempts', label: words.attempts }]}
        points={answers.map(({ answer, attempts }) => ({
          label: names[answer],
          values: { attempts },
          link: { to, search: { tab: 'deliveries', answer } },
        }))}
      />
    </Section>
  );
}

/** Days are those of the organization, as the service counts them; hours are the member's, or those of UTC. */
function useBucketFormat(bucket: 'hour' | 'day'): (at: string) => string {
  const { language } = useLanguage();
  const { organization } = useConsole();
  const { timeZone } = useTimeZone();
  const format = new Intl.DateTimeFormat(
    language,
    bucket === 'day'
      ? { day: 'numeric', month: 'short', timeZone: organization.timeZone }
      : { weekday: 'short', hour: 'numeric', timeZone },
  );
  return (at) => format.format(new Date(at));
}

/** What may explain a change in the pictures. */
function Changes({ webhook }: { webhook: Webhook }) {
  const { overview: words } = useWebhookWords();
  const [newest] = webhook.secrets;
  return (
    <Section title={words.facts}>
      <dl className="facts">
        <dt>{words.changedAt}</dt>
        <dd>
          <RelativeTime time={webhook.changedAt} />
        </dd>
        <dt>{words.statusSince}</dt>
        <dd>
          <RelativeTime time={webhook.statusSince} />
        </dd>
        {newest && <dt>{words.secretSince}</dt>}
        {newest && (
          <dd>
            <RelativeTime time={newest.createdAt} />
          </dd>
        )}
      </dl>
    </Section>
  );
}
