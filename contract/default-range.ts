const DAY_MS = 24 * 3600 * 1000;

/** How far back figures reach that are asked for without a beginning. */
export const DEFAULT_RANGE_DAYS = 30;

/** Returns the beginning of a range that has only an end. */
export const defaultFrom = (to: Date): Date => new Date(to.getTime() - DEFAULT_RANGE_DAYS * DAY_MS);
