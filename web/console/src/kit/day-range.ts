const DAY_MS = 24 * 3600 * 1000;

/** The days of a filter as times: from the beginning of the first to the end of the last, both of UTC. */
export const toTimeRange = ({
  since,
  until,
}: {
  since?: string | undefined;
  until?: string | undefined;
}): { since?: string; until?: string } => ({
  ...(isDay(since) && { since: `${since}T00:00:00Z` }),
  ...(isDay(until) && { until: new Date(Date.parse(`${until}T00:00:00Z`) + DAY_MS).toISOString() }),
});

const isDay = (text: string | undefined): text is string =>
  text !== undefined && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
