import { createContext, type ReactNode, useContext, useState } from 'react';

interface TimeZoneContextValue {
  /** undefined: that of the browser. */
  timeZone: string | undefined;
  isUtc: boolean;
  setUtc(isUtc: boolean): void;
}

const STORAGE_KEY = 'chartgate-console-utc';

const TimeZoneContext = createContext<TimeZoneContextValue | null>(null);

/** Shows times in the browser's zone, or in UTC where the member has chosen so in this browser. */
export function TimeZoneProvider({ children }: { children: ReactNode }) {
  const [isUtc, setIsUtc] = useState(loadChoice);
  const setUtc = (chosen: boolean) => {
    saveChoice(chosen);
    setIsUtc(chosen);
  };
  const value = { isUtc, setUtc, timeZone: isUtc ? 'UTC' : undefined };
  return <TimeZoneContext value={value}>{children}</TimeZoneContext>;
}

export function useTimeZone(): TimeZoneContextValue {
  const value = useContext(TimeZoneContext);
  if (value === null) throw new Error('This page has no TimeZoneProvider around it.');
  return value;
}

// A browser may refuse its storage altogether; then the choice lasts as long as the page.
function loadChoice(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'yes';
  } catch {
    return false;
  }
}

function saveChoice(isUtc: boolean): void {
  try {
    localStorage.setItem(STORAGE_KEY, isUtc ? 'yes' : 'no');
  } catch {
    // It lasts as long as the page.
  }
}
