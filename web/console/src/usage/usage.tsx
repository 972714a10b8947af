import { useState } from 'react';
import type { getUsage } from '../../../../contract/organization/usage.ts';
import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { Table } from '../../../kit/table.tsx';
import { addDays, startOfDay, toDay } from '../../../../contract/time-zone.ts';
import { useConsole } from '../api/use-console.ts';
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
import { countByDay, sumTotals, type UsageResult, type UsageTotal } from './sum-usage.ts';
import { useUsageWords } from './use-usage-words.ts';
import type { UsageWords } from './words/en.ts';
import '../kit/tabs.css';
import './usage.css';

const POLL_MS = 30_000;
const TARGET = 'GET /v1/organizations/{orgId}/usage';

/** What the organization used, day by day and in all. */
export function Usage() {
  const words = useUsageWords();
  const request = useUsageRequest();
  const { days, first, by } = request;
  const query = useData<typeof getUsage>(
    TARGET,
    { query: request.query as never },
    { keepPrevious: true, pollMs: POLL_MS },
  );
  const curl = useCurl()<typeof getUsage>(TARGET, { query: request.query as never });
  const toOptions = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  return (
    <Page name="usage" title={words.title} lead={words.lead}>
      <Choices label={words.filters.range} name="range" chosen={String(days)} options={words.ranges} />
      <Choices label={words.filters.by} name="by" chosen={by} options={words.by} />
      <Filters
        filters={[
          { kind: 'choice', name: 'kind', label: words.filters.kind, options: toOptions(words.kinds) },
        ]}
      />
      <States query={query}>
        {({ results, names }) =>
          results.length === 0 ? (
            <Blank text={words.empty} />
          ) : (
            <>
              <UsageChart results={results} first={first} days={days} />
              <UsageTotals totals={sumTotals(results)} nameOf={createNaming(words, { by, names })} />
            </>
          )
        }
      </States>
      <AsCurl command={curl} />
    </Page>
  );
}

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

/** What the address asks for: 28 days where it does not say. */
function useUsageRequest() {
  const [{ range, by = 'tool', kind }] = useSearch();
  const projectId = useProjectId();
  const days = range === '7' || range === '90' ? Number(range) : 28;
  // One end for as long as the page is open, or each drawing would ask anew.
  const { timeZone } = useConsole().organization;
  const [today] = useState(() => toDay(Date.now(), timeZone));
  const first = addDays(today, 1 - days);
  const query = {
    from: startOfDay(first, timeZone).toISOString(),
    to: startOfDay(addDays(today, 1), timeZone).toISOString(),
    bucket: 'day',
    by,
    ...(kind !== undefined && { kind }),
    ...(projectId !== null && { projectId }),
  };
  return { days, first, by, query };
}

/** Returns how a key is called: an app or a project by its name, an outcome in words. */
const createNaming =
  (words: UsageWords, { by, names }: { by: string; names: Readonly<Record<string, string>> }) =>
  (key: string | null): string =>
    key === null ? words.none : ((by === 'outcome' ? words.outcomes : names)[key] ?? key);

interface UsageChartProps {
  results: readonly UsageResult[];
  /** The first day. */
  first: string;
  days: number;
}

function UsageChart({ results, first, days }: UsageChartProps) {
  const words = useUsageWords();
  const { language } = useLanguage();
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const { timeZone: zone } = useConsole().organization;
  const used = new Set(results.map(({ kind }) => kind));
  const kinds = Object.entries(words.kinds).filter(([kind]) => used.has(kind as UsageResult['kind']));
  return (
    <BarChart
      title={words.perDay}
      axis={words.day}
      series={kinds.map(([name, label]) => ({ name, label }))}
      points={countByDay(results, { first, days, zone }).map(({ day, values }) => ({
        label: format.format(new Date(day)),
        values,
      }))}
    />
  );
}

/** Saves the table as CSV, with the keys beside what they are called. */
function saveTotals(totals: readonly UsageTotal[], nameOf: (key: string | null) => string): void {
  const header = ['kind', 'key', 'name', 'count', 'refused', 'failed'];
  const rows = totals.map(({ kind, key, count, refused, failed }) => [
    kind,
    key ?? '',
    nameOf(key),
    count,
    refused,
    failed,
  ]);
  saveFile('usage.csv', writeCsv([header, ...rows]), 'text/csv');
}

function UsageTotals({
  totals,
  nameOf,
}: {
  totals: readonly UsageTotal[];
  nameOf: (key: string | null) => string;
}) {
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
            { header: columns.key, render: ({ key }: UsageTotal) => nameOf(key) },
            { header: columns.kind, render: ({ kind }: UsageTotal) => words.kinds[kind] },
            ...(['count', 'refused', 'failed'] as const).map((name) => ({
              header: columns[name],
              numeric: true,
              render: (total: UsageTotal) => formatNumber(total[name], language),
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
