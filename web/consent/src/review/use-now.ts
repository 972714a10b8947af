import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** Returns the time, to the minute: a page may stay open over midnight, and its date is what is signed. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
