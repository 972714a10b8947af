const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether a day has begun nowhere yet, as YYYY-MM-DD: where days begin first, it is fourteen hours later than in UTC. */
export const isFutureDay = (day: string): boolean =>
  day > new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
