import { useState } from 'react';
import type { DailyFigures, listDailyFigures } from '../../../../contract/organization/daily-figures.ts';
import { addDays, toDay } from '../../../../contract/time-zone.ts';
import { formatNumber, formatSize } from '../../../kit/format-number.ts';
import { useConsole } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { BarChart } from '../charts/chart.tsx';
import { AsCurl } from '../kit/as-curl.tsx';
import { Blank } from '../kit/blank.tsx';
import { useCurl } from '../kit/build-curl.ts';
import { Section } from '../kit/page.tsx';
import { States } from '../kit/states.tsx';
import { useProjectId } from '../kit/use-search.ts';
import { useLanguage } from '../words/use-words.ts';
import { useUsageWords } from './use-usage-words.ts';

const POLL_MS = 60_000;
const TARGET = 'GET /v1/organizations/{orgId}/daily-figures';

/** What was counted of each of the last days, today among them; asked again while the page is seen. */
export function useDailyFigures(days: number) {
  const { timeZone } = useConsole().organization;
  const projectId = useProjectId();
  // One end for as long as the page is open, or each drawing would ask anew.
  const [today] = useState(() => toDay(Date.now(), timeZone));
  const query = { from: addDays(today, 1 - days), to: today, ...(projectId !== null && { projectId }) };
  const figures = useData<typeof listDailyFigures>(
    TARGET,
    { query },
    { keepPrevious: true, pollMs: POLL_MS },
  );
  return { figures, query };
}

const PARTS = ['recordBytes', 'originalBytes', 'evidenceBytes', 'logBytes'] as const;

const sumBytes = ({ storage }: DailyFigures): number =>
  PARTS.reduce((total, part) => total + (storage[part] ?? 0), 0);

/** What is stored, by day. */
export function Storage({ days }: { days: number }) {
  const { storage: words } = useUsageWords();
  const { figures, query } = useDailyFigures(days);
  const curl = useCurl()<typeof listDailyFigures>(TARGET, { query });
  return (
    <Section title={words.title}>
      <p className="soft">{words.lead}</p>
      <States query={figures}>
        {({ results }) =>
          results.every((day) => sumBytes(day) === 0) ? (
            <Blank text={words.empty} />
          ) : (
            <StorageChart results={results} />
          )
        }
      </States>
      <AsCurl command={curl} />
    </Section>
  );
}

function StorageChart({ results }: { results: readonly DailyFigures[] }) {
  const { storage: words, day } = useUsageWords();
  const { language } = useLanguage();
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const formatBytes = (bytes: number): string =>
    bytes === 0 ? formatNumber(0, language) : formatSize(bytes, language);
  return (
    <BarChart
      title={words.perDay}
      axis={day}
      series={PARTS.map((name) => ({ name, label: words.parts[name] }))}
      points={results.map((each) => ({
        label: format.format(new Date(each.day)),
        values: Object.fromEntries(PARTS.map((part) => [part, each.storage[part] ?? 0])),
      }))}
      formatValue={formatBytes}
    />
  );
}
