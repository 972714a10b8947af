import { formatNumber } from '../../../kit/format-number.ts';
import { useConsole } from '../api/use-console.ts';
import { useLanguage } from '../words/use-words.ts';
import { useWebhookWords } from './use-webhook-words.ts';
import { DAY_MS, listDays } from './stats.ts';
import { useStats } from './use-stats.ts';
import './webhooks.css';

const DAYS = 90;
const CELL = 4;

/** The last 90 days, a cell a day: a full bar, half of one, or a line at the foot for days on which nothing arrived. */
export function DayStrip({ webhookId }: { webhookId: string }) {
  const words = useWebhookWords();
  const { language } = useLanguage();
  const { timeZone } = useConsole().organization;
  const { data, dataUpdatedAt } = useStats(webhookId, { lengthMs: (DAYS - 1) * DAY_MS, bucket: 'day' });
  if (data === undefined) return <span className="strip-blank" />;
  const days = listDays(data.deliveries, { count: DAYS, now: dataUpdatedAt, zone: timeZone });
  const count = (state: string): string => formatNumber(days.filter((day) => day === state).length, language);
  return (
    <svg
      className="strip"
      viewBox={`0 0 ${DAYS * CELL} 20`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words.strip(count('all'), count('some'), count('nothing'))}
    >
      {days.map((state, index) => (
        // The day is its place.
        // oxlint-disable-next-line react/no-array-index-key
        <rect
          key={index}
          className={`strip-${state}`}
          x={index * CELL}
          {...SHAPES[state]}
          width={CELL - 1}
          rx="0.5"
        />
      ))}
    </svg>
  );
}

/** Heights show the states where colours do not. */
const SHAPES = {
  none: { y: 18, height: 2 },
  all: { y: 0, height: 20 },
  some: { y: 8, height: 12 },
  nothing: { y: 14, height: 6 },
} as const;
