import { useMemo, useState } from 'react';
import type { getUsage } from '../../../../contract/organization/usage.ts';
import { Button } from '../../../kit/button.tsx';
import { formatNumber, NUMBER_LOCALES } from '../../../kit/format-number.ts';
import { useData } from '../api/use-data.ts';
import { usePermission } from '../api/use-console.ts';
import { Section } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { States } from '../kit/states.tsx';
import { useTimeZone } from '../kit/time-zone.tsx';
import { useProjectId } from '../kit/use-search.ts';
import { useLanguage } from '../words/use-words.ts';
import { isRead, LISTED_OUTCOMES } from '../usage/sum-usage.ts';
import { countByHour, type HourCell, type HourCount, type Shown } from './count-by-hour.ts';
import { useReadsWords } from './use-reads-words.ts';
import './heat-map.css';

const HOUR_MS = 3600 * 1000;
const POLL_MS = 30_000;
const WEEKS_MS = 28 * 24 * HOUR_MS;

/** Hours by weekdays: a table whose cells are darker the more was read. */
export function HeatMap() {
  const { heat: words } = useReadsWords();
  const isPermitted = usePermission('usage.read');
  return isPermitted ? (
    <Section title={words.title}>
      <p className="soft">{words.lead}</p>
      <HeatMapData />
    </Section>
  ) : null;
}

function HeatMapData() {
  const { heat: words } = useReadsWords();
  const projectId = useProjectId();
  const [shown, setShown] = useState<Shown>('listed');
  // One range for as long as the page is open, or each drawing would ask anew.
  const [to] = useState(() => new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS));
  const from = new Date(to.getTime() - WEEKS_MS).toISOString();
  const query = useData<typeof getUsage>(
    'GET /v1/organizations/{orgId}/usage',
    {
      query: {
        from,
        to: to.toISOString(),
        bucket: 'hour',
        ...(projectId !== null && { projectId }),
      } as never,
    },
    { pollMs: POLL_MS },
  );
  return (
    <States query={query}>
      {({ results }) => (
        <>
          <div className="page-actions" role="group" aria-label={words.shown}>
            {(['listed', 'refused'] as const).map((name) => (
              <Button key={name} variant={name === shown ? 'plain' : 'quiet'} onPress={() => setShown(name)}>
                {name === 'listed' ? words.all : words.refused}
              </Button>
            ))}
          </div>
          <HeatTable hours={results.filter(isRead)} shown={shown} />
        </>
      )}
    </States>
  );
}

/** A Monday, from which weekdays get their names. */
const MONDAY_MS = Date.UTC(2026, 0, 5);
const LEVELS = 5;

function HeatTable({ hours, shown }: { hours: readonly HourCount[]; shown: Shown }) {
  const { heat: words } = useReadsWords();
  const { language } = useLanguage();
  const { timeZone } = useTimeZone();
  const zone = timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const table = useMemo(() => countByHour(hours, { timeZone: zone, shown }), [hours, zone, shown]);
  const most = Math.max(1, ...table.flat().map(({ count }) => count));
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' });
  const caption = shown === 'listed' ? words.all : words.refused;
  return (
    // It scrolls by itself where the window is narrower than a day.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="heat-scroll" role="region" aria-label={caption} tabIndex={0}>
      <table className="heat">
        <caption className="hidden-visually">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{words.weekday}</th>
            {table[0]?.map((_count, hour) => (
              <th key={hour} scope="col">
                <span aria-hidden="true">{hour}</span>
                <span className="hidden-visually">{words.hour(String(hour))}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.map((row, day) => (
            <tr key={day}>
              <th scope="row">{weekday.format(MONDAY_MS + day * 24 * HOUR_MS)}</th>
              {row.map((cell, hour) => (
                <td key={hour} className={`heat-${Math.ceil((cell.count / most) * LEVELS)}`}>
                  <HeatCell cell={cell} shown={shown} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A count, which leads to the reads of the newest of its hours. */
function HeatCell({ cell: { count, newest }, shown }: { cell: HourCell; shown: Shown }) {
  const { heat: words } = useReadsWords();
  const { language } = useLanguage();
  const text = formatNumber(count, language);
  if (newest === null) return <span className="hidden-visually">{text}</span>;
  // A day has 24 columns: what is longer than they are wide is rounded, and stands in full beside.
  const short = new Intl.NumberFormat(NUMBER_LOCALES[language], {
    notation: 'compact',
    maximumFractionDigits: 0,
  });
  const search = {
    since: newest,
    until: new Date(Date.parse(newest) + HOUR_MS).toISOString(),
    outcome: shown === 'refused' ? 'refused' : LISTED_OUTCOMES,
  };
  return (
    <PageLink className="heat-link" to="/reads" search={search} title={text}>
      <span aria-hidden="true">{short.format(count)}</span>
      <span className="hidden-visually">{text}</span>
      <span className="hidden-visually">: {words.newest}</span>
    </PageLink>
  );
}
