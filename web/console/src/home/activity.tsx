import { useState } from 'react';
import type { getConsentStats } from '../../../../contract/organization/organization-consents.ts';
import type { getUsage } from '../../../../contract/organization/usage.ts';
import { addDays, startOfDay, toDay } from '../../../../contract/time-zone.ts';
import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { Table } from '../../../kit/table.tsx';
import { useConsole, usePermission } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { PageLink } from '../kit/page-link.tsx';
import { Section } from '../kit/page.tsx';
import { States } from '../kit/states.tsx';
import { useProjectId } from '../kit/use-search.ts';
import { useLanguage } from '../words/use-words.ts';
import { Sparkline } from './sparkline.tsx';
import { averageBefore, MEASURES, sumActivity, type ActivityDay, type Measure } from './sum-activity.ts';
import { useDailyFigures } from '../usage/storage.tsx';
import { useHomeWords } from './use-home-words.ts';

const POLL_MS = 60_000;
const DAYS = 28;

/** Where each number is looked at more closely. */
const LINKS: Readonly<Record<Measure, { to: string; search?: Readonly<Record<string, string>> }>> = {
  given: { to: '/consents', search: { decision: 'given' } },
  ended: { to: '/consents', search: { tab: 'charts', range: 'month' } },
  inForce: { to: '/consents', search: { state: 'in_force' } },
  reads: { to: '/reads', search: { outcome: 'success' } },
  patients: { to: '/reads', search: { outcome: 'success' } },
  refused: { to: '/reads', search: { outcome: 'refused' } },
};

/** Today against the last four weeks: consents and reads, each with its small line, and all of it as a table. */
export function Activity() {
  const mayReadConsents = usePermission('consents.read');
  const mayReadUsage = usePermission('usage.read');
  const range = useRange();
  if (mayReadConsents && mayReadUsage) return <All />;
  if (mayReadConsents) return <Consents />;
  return mayReadUsage ? <Reads range={range} stats={undefined} /> : null;
}

function All() {
  const range = useRange();
  const stats = useConsentStats(range);
  return <States query={stats}>{(known) => <Reads {...{ range, stats: known }} />}</States>;
}

function Consents() {
  const range = useRange();
  return (
    <States query={useConsentStats(range)}>
      {(stats) => <Days {...{ range, stats, usage: undefined, figures: undefined }} />}
    </States>
  );
}

function Reads({ range, stats }: Pick<DaysProps, 'range' | 'stats'>) {
  const usage = useReadUsage(range);
  const { figures } = useDailyFigures(DAYS);
  return (
    <States query={usage}>
      {({ results }) => (
        <States query={figures}>
          {(known) => <Days {...{ range, stats, usage: results, figures: known.results }} />}
        </States>
      )}
    </States>
  );
}

interface Range {
  first: string;
  today: string;
  zone: string;
}

function useRange(): Range {
  const { timeZone: zone } = useConsole().organization;
  // One end for as long as the page is open, or each drawing would ask anew.
  const [today] = useState(() => toDay(Date.now(), zone));
  return { first: addDays(today, 1 - DAYS), today, zone };
}

function useConsentStats({ first }: Range) {
  const projectId = useProjectId();
  const query = { bucket: 'day', from: first, ...(projectId !== null && { projectId }) };
  return useData<typeof getConsentStats>(
    'GET /v1/organizations/{orgId}/consent-stats',
    { query: query as never },
    { pollMs: POLL_MS, keepPrevious: true },
  );
}

function useReadUsage({ first, today, zone }: Range) {
  const projectId = useProjectId();
  const query = {
    from: startOfDay(first, zone).toISOString(),
    to: startOfDay(addDays(today, 1), zone).toISOString(),
    bucket: 'day',
    ...(projectId !== null && { projectId }),
  };
  return useData<typeof getUsage>(
    'GET /v1/organizations/{orgId}/usage',
    { query: query as never },
    { pollMs: POLL_MS, keepPrevious: true },
  );
}

type DaysProps = Parameters<typeof sumActivity>[0] & { range: Range };

function Days({ range, stats, usage, figures }: DaysProps) {
  const { activity: words } = useHomeWords();
  const { words: shared } = useLanguage();
  const [isTable, setIsTable] = useState(false);
  const days = sumActivity({ stats, usage, figures }, { ...range, days: DAYS });
  const measures = MEASURES.filter((measure) => days[0]?.values[measure] !== undefined);
  return (
    <Section
      title={words.title}
      actions={
        <Button variant="quiet" onPress={() => setIsTable(!isTable)}>
          {isTable ? shared.charts.asChart : shared.charts.asTable}
        </Button>
      }
    >
      {isTable ? (
        <DayTable {...{ days, measures }} />
      ) : (
        <ul className="activity">
          {measures.map((measure) => (
            <Tile key={measure} {...{ measure, days }} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Tile({ measure, days }: { measure: Measure; days: readonly ActivityDay[] }) {
  const { activity: words } = useHomeWords();
  const { language } = useLanguage();
  const { to, search } = LINKS[measure];
  const values = days.map((day) => day.values[measure] ?? 0);
  const average = averageBefore(days, measure);
  const usual = average === null ? '' : formatNumber(Math.round(average * 10) / 10, language);
  return (
    <li className={`activity-tile activity-${measure}`}>
      <PageLink to={to} search={search ?? {}}>
        {words.measures[measure]}
      </PageLink>
      <p className="activity-value">
        {formatNumber(values.at(-1) ?? 0, language)}{' '}
        <span className="soft small">{measure === 'inForce' ? words.now : words.today}</span>
      </p>
      <Sparkline values={values} />
      <p className="soft small">
        {measure === 'inForce' ? words.before(formatNumber(values[0] ?? 0, language)) : words.usual(usual)}
      </p>
    </li>
  );
}

function DayTable({ days, measures }: { days: readonly ActivityDay[]; measures: readonly Measure[] }) {
  const { activity: words } = useHomeWords();
  const { language } = useLanguage();
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return (
    <Table
      caption={words.title}
      columns={[
        { header: words.day, render: ({ day }: ActivityDay) => format.format(new Date(day)) },
        ...measures.map((measure) => ({
          header: words.measures[measure],
          numeric: true,
          render: ({ values }: ActivityDay) => formatNumber(values[measure] ?? 0, language),
        })),
      ]}
      rows={days.toReversed()}
      getKey={({ day }) => day}
      empty={null}
    />
  );
}
