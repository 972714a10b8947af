import type { Webhook } from '../../../../contract/webhooks/webhooks.ts';
import { SelectField } from '../../../kit/select-field.tsx';
import { useConsole } from '../api/use-console.ts';
import { BarChart, LineChart, RowChart } from '../charts/chart.tsx';
import type { ChartProps, Mark, Point } from '../charts/chart-types.ts';
import { Section } from '../kit/page.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { Blank } from '../kit/blank.tsx';
import { States } from '../kit/states.tsx';
import { useTimeZone } from '../kit/time-zone.tsx';
import { useSearch } from '../kit/use-search.ts';
import { useLanguage } from '../words/use-words.ts';
import { useAnswerNames } from './answer-names.ts';
import { buildMarks, listBuckets, type WebhookChange } from './change-marks.ts';
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
      <Changes webhook={webhook} changes={query.data?.changes ?? []} bucket={RANGES[name].bucket} />
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
  const toPoint = (at: string, values: Point['values'] | null | undefined): Point => ({
    label: format(at),
    values: values ?? {},
    ...(values ? { link: link(at) } : { isGap: true }),
  });
  const build = useChartPoints(stats, bucket);
  const delays = stats.attempts.filter(({ delayMs }) => delayMs !== null);
  const charts = {
    deliveries: build(stats.deliveries, (at, row) => toPoint(at, pickOutcomes(row))),
    times: build(stats.attempts, (at, attempt) => toPoint(at, attempt?.durationMs)),
    delays: build(delays, (at, attempt) => toPoint(at, attempt?.delayMs)),
  };
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
          {...charts.deliveries}
        />
      </Section>
      <Section title={words.times}>
        <LineChart title={words.times} isTitled axis={words.axisTime} series={quantiles} {...charts.times} />
        <LineChart title={words.delay} axis={words.axisTime} series={quantiles} {...charts.delays} />
      </Section>
      <AnswersChart to={to} answers={stats.answers} />
    </div>
  );
}

const pickOutcomes = (row: WebhookStats['deliveries'][number] | undefined): Point['values'] =>
  Object.fromEntries(OUTCOMES.map((name) => [name, row?.[name] ?? 0]));

const OUTCOMES = ['delivered', 'pending', 'retrying', 'exhausted', 'dropped'] as const;

function AnswersChart({ to, answers }: { to: string; answers: WebhookStats['answers'] }) {
  const { overview: words } = useWebhookWords();
  const names = useAnswerNames();
  return (
    <Section title={words.answers}>
      <RowChart
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

/** Returns what puts the changes of a webhook among hours or days, as lines. */
function useMarks(changes: readonly WebhookChange[], bucket: 'hour' | 'day') {
  const { overview: words } = useWebhookWords();
  const { language } = useLanguage();
  const zone = useConsole().organization.timeZone;
  const { timeZone } = useTimeZone();
  const format = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  });
  const describe = ({ at, change }: WebhookChange) =>
    `${format.format(new Date(at))}: ${words.changes[change]}`;
  return (ats: readonly string[]): Mark[] => buildMarks(ats, changes, { bucket, zone, describe });
}

/** Returns what builds the points of a chart, with the lines among them. */
function useChartPoints({ changes }: WebhookStats, bucket: 'hour' | 'day') {
  const { overview: words } = useWebhookWords();
  const zone = useConsole().organization.timeZone;
  const putMarks = useMarks(changes, bucket);
  return <Row extends { at: string }>(
    rows: readonly Row[],
    toPoint: (at: string, row: Row | undefined) => Point,
  ): Pick<ChartProps, 'points' | 'marks'> => {
    const ats = rows.length === 0 ? [] : listBuckets(rows, changes, { bucket, zone });
    const byTime = new Map(rows.map((row) => [row.at, row]));
    return {
      points: ats.map((at) => toPoint(at, byTime.get(at))),
      ...(changes.length > 0 && { marks: { title: words.changed, list: putMarks(ats) } }),
    };
  };
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

interface ChangesProps {
  bucket: 'hour' | 'day';
  webhook: Webhook;
  changes: readonly WebhookChange[];
}

/** What may explain a change in the pictures. */
function Changes({ webhook, changes, bucket }: ChangesProps) {
  const { overview: words } = useWebhookWords();
  const marks = useMarks(changes, bucket)([]);
  const [newest] = webhook.secrets;
  return (
    <Section title={words.facts}>
      {marks.length > 0 && (
        <>
          <p className="soft">{words.lines}</p>
          <ol className="webhook-changes">
            {marks.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ol>
        </>
      )}
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
