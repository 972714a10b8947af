import { useState } from 'react';
import type {
  ConsentStats,
  getConsentStats,
} from '../../../../contract/organization/organization-consents.ts';
import { formatNumber } from '../../../kit/format-number.ts';
import { addDays, toDay } from '../../../../contract/time-zone.ts';
import { useConsole } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { BarChart, LineChart, RowChart } from '../charts/chart.tsx';
import type { Point } from '../charts/chart-types.ts';
import { Section } from '../kit/page.tsx';
import { States } from '../kit/states.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { useProjectId, useSearch } from '../kit/use-search.ts';
import { useLanguage } from '../words/use-words.ts';
import { SharedCategories } from './shared-categories.tsx';
import { useConsentWords } from './use-consent-words.ts';
import './consent-charts.css';

const STATS_TARGET = 'GET /v1/organizations/{orgId}/consent-stats';
const POLL_MS = 30_000;

const RANGES = {
  month: { days: 30, bucket: 'day' },
  quarter: { days: 90, bucket: 'day' },
  year: { days: 365, bucket: 'week' },
} as const;

/** Consents over time, what is shared, and how people decide. */
export function ConsentCharts() {
  const projectId = useProjectId();
  const [search] = useSearch();
  const range = isRange(search['range']) ? search['range'] : 'quarter';
  const { days, bucket } = RANGES[range];
  const { timeZone } = useConsole().organization;
  const [today] = useState(() => toDay(Date.now(), timeZone));
  const query = {
    bucket,
    from: addDays(today, 1 - days),
    ...(projectId !== null && { projectId: projectId as never }),
  };
  const stats = useData<typeof getConsentStats>(
    STATS_TARGET,
    { query },
    { pollMs: POLL_MS, keepPrevious: true },
  );
  return (
    <>
      <Ranges active={range} />
      <States query={stats}>{(data) => <Charts stats={data} />}</States>
    </>
  );
}

const isRange = (name: string | undefined): name is keyof typeof RANGES =>
  name !== undefined && Object.hasOwn(RANGES, name);

/** How much time the charts show; each has an address. */
function Ranges({ active }: { active: keyof typeof RANGES }) {
  const { charts } = useConsentWords();
  return (
    <nav className="ranges" aria-label={charts.range}>
      {(Object.keys(RANGES) as (keyof typeof RANGES)[]).map((range) => (
        <PageLink
          key={range}
          to="/consents"
          search={{ tab: 'charts', range }}
          className={range === active ? 'range range-active' : 'range'}
          isCurrent={range === active}
        >
          {charts.ranges[range]}
        </PageLink>
      ))}
    </nav>
  );
}

function Charts({ stats }: { stats: ConsentStats }) {
  const { charts } = useConsentWords();
  const { language } = useLanguage();
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const format = (day: string): string => days.format(new Date(day));
  const axis = stats.bucket === 'week' ? charts.week : charts.day;
  return (
    <div className="stack stack-wide">
      <div className="card">
        <BarChart
          title={charts.changes}
          axis={axis}
          series={[
            { name: 'given', label: charts.given },
            { name: 'withdrawn', label: charts.withdrawn },
            { name: 'ended', label: charts.ended },
          ]}
          points={buildPoints(stats, ['given', 'withdrawn', 'ended'], format)}
        />
      </div>
      <div className="card">
        <LineChart
          title={charts.inForceTitle}
          axis={axis}
          series={[{ name: 'inForce', label: charts.inForce }]}
          points={buildPoints(stats, ['inForce'], format)}
        />
      </div>
      <SharedCategories stats={stats} />
      <Withdrawals stats={stats} />
      <Times stats={stats} />
      <p className="soft small">{charts.zone(stats.zone)}</p>
    </div>
  );
}

type Bucket = ConsentStats['buckets'][number];

/** Each point leads to the decisions of its days. */
function buildPoints(
  { buckets, bucket, to }: ConsentStats,
  names: readonly (keyof Bucket)[],
  format: (day: string) => string,
): Point[] {
  return buckets.map((each, index) => {
    const next = buckets[index + 1]?.start;
    const last = bucket === 'day' ? each.start : next ? addDays(next, -1) : to;
    return {
      label: format(each.start),
      values: Object.fromEntries(names.map((name) => [name, Number(each[name])])),
      link: { to: '/consents', search: { since: each.start, until: last } },
    };
  });
}

function Withdrawals({ stats: { withdrawals } }: { stats: ConsentStats }) {
  const { charts } = useConsentWords();
  const series = [{ name: 'count', label: charts.consents }];
  const ages = withdrawals.ages.map(({ withinDays, count }, index) => ({
    label:
      withinDays === null
        ? charts.olderThan(String(withdrawals.ages[index - 1]?.withinDays ?? ''))
        : charts.withinDays(String(withinDays)),
    values: { count },
  }));
  const reasons = withdrawals.reasons.map(({ reason, count }) => ({
    label: charts.reasonNames[reason],
    values: { count },
  }));
  if (withdrawals.total === 0)
    return (
      <Section title={charts.reasons}>
        <p className="soft">{charts.noWithdrawals}</p>
      </Section>
    );
  return (
    <div className="card stack">
      <RowChart title={charts.reasons} axis={charts.reason} series={series} points={reasons} />
      <RowChart title={charts.ages} axis={charts.age} series={series} points={ages} />
    </div>
  );
}

function Times({ stats: { timeToDecide } }: { stats: ConsentStats }) {
  const { charts } = useConsentWords();
  const { language } = useLanguage();
  const format = (value: number | null): string => formatNumber(Math.round(value ?? 0), language);
  const { decisions, medianSeconds, p90Seconds, times } = timeToDecide;
  const points = times.map(({ withinSeconds, count }, index) => ({
    label:
      withinSeconds === null
        ? charts.longerThan(String(times[index - 1]?.withinSeconds ?? ''))
        : charts.withinSeconds(String(withinSeconds)),
    values: { count },
  }));
  if (decisions === 0)
    return (
      <Section title={charts.times}>
        <p className="soft">{charts.noTimes}</p>
      </Section>
    );
  return (
    <div className="card stack">
      <p>{charts.median(format(medianSeconds), format(p90Seconds), format(decisions))}</p>
      <RowChart
        title={charts.times}
        axis={charts.time}
        series={[{ name: 'count', label: charts.consents }]}
        points={points}
      />
    </div>
  );
}
