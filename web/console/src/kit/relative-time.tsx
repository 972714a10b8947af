import { createContext, useContext, useSyncExternalStore } from 'react';
import { useLanguage, useWords } from '../words/use-words.ts';
import { useTimeZone } from './time-zone.tsx';
import { createPageClock } from './page-clock.ts';
import { formatExactTime, formatRelativeTime, isThisHour } from './format-time.ts';
import './relative-time.css';

/** Inside a row, whose link takes the focus, a time is no stop of the Tab key: the row shows its exact times. */
const InRowContext = createContext(false);
export const InRow = InRowContext.Provider;

const CLOCK = createPageClock(() => Date.now());

/** "5 min ago"; the exact time on hover and focus, and for screen readers. */
export function RelativeTime({ time }: { time: string }) {
  const { language } = useLanguage();
  const { timeZone } = useTimeZone();
  const isInRow = useContext(InRowContext);
  const seen = useSyncExternalStore(CLOCK.subscribe, CLOCK.get);
  const exact = formatExactTime(time, language, timeZone);
  return (
    // Whoever uses the keyboard reads the exact time as whoever points at it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <time className="time" dateTime={time} {...(!isInRow && { tabIndex: 0 })}>
      {formatRelativeTime(Date.parse(time) - seen, language)}
      <span className="time-exact">
        <span className="hidden-visually">, </span>
        {exact}
      </span>
    </time>
  );
}

/** Of what is kept by the hour: "this hour", or how long ago that hour began; never a minute that nobody knows. */
export function HourTime({ time }: { time: string }) {
  const { common } = useWords();
  const seen = useSyncExternalStore(CLOCK.subscribe, CLOCK.get);
  return isThisHour(time, seen) ? (
    <time dateTime={time}>{common.thisHour}</time>
  ) : (
    <RelativeTime time={time} />
  );
}

/** The day and the time in full, in the member's zone or in UTC. */
export function ExactTime({ time }: { time: string }) {
  const { language } = useLanguage();
  const { timeZone } = useTimeZone();
  return <time dateTime={time}>{formatExactTime(time, language, timeZone)}</time>;
}
