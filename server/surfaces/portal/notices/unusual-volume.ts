/** Nobody is alarmed by less, however seldom a client reads. */
export const MIN_UNUSUAL_READS = 100;

/** How many times its usual a client must read in an hour. */
const UNUSUAL_FACTOR = 10;

/** The days over which the usual is taken. */
export const USUAL_DAYS = 30;

/**
 * Says whether a client reads unusually often: at least 100 times within an hour of the clock, and more than ten times its
 * usual. The usual is its mean over those hours of the 30 days before in which it read at all, so that an agent that is
 * asked once a week is not measured against nights of silence; a client without such an hour has no usual, and 100 reads
 * are unusual.
 */
export const isUnusualVolume = (reads: number, usual: number | null): boolean =>
  reads >= MIN_UNUSUAL_READS && reads > UNUSUAL_FACTOR * (usual ?? 0);
