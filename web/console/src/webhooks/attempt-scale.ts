/** What the retries of a delivery take, all together. */
export const SCALE_SECONDS = 33 * 3600;

/** When each attempt is made, seconds after the first one; a test compares them with the service's schedule. */
export const ATTEMPT_SECONDS: readonly number[] = [0, 5, 305, 2105, 9305, 27_305, 63_305, 118_805];

/** The marks of the scale, seconds after the first attempt. */
export const SCALE_MARKS: readonly number[] = [0, 5, 60, 600, 3600, 6 * 3600, SCALE_SECONDS];

/** Places seconds after the first attempt on a logarithmic scale, 0 to 1: the first retries come within minutes. */
export const placeOnScale = (seconds: number): number =>
  Math.min(1, Math.log1p(Math.max(0, seconds)) / Math.log1p(SCALE_SECONDS));

interface Made {
  attemptedAt: string;
  delivered: boolean;
}

export interface ScalePoint {
  kind: 'done' | 'failed' | 'next' | 'coming';
  /** Of the width. */
  place: number;
}

/**
 * Places the attempts since a delivery was last sent anew, the next one, and those that come after it as long as none is
 * acknowledged. `log` is newest first, and has those of former times too.
 */
export function placeAttempts(
  log: readonly Made[],
  { attempts, nextAttemptAt }: { attempts: number; nextAttemptAt: string | null },
): ScalePoint[] {
  const made = log.slice(0, attempts).toReversed();
  const first = Date.parse(made[0]?.attemptedAt ?? nextAttemptAt ?? '');
  const place = (time: string): number => placeOnScale((Date.parse(time) - first) / 1000);
  return [
    ...made.map(({ attemptedAt, delivered }): ScalePoint => ({
      kind: delivered ? 'done' : 'failed',
      place: place(attemptedAt),
    })),
    ...(nextAttemptAt === null
      ? []
      : [
          { kind: 'next', place: place(nextAttemptAt) } as const,
          ...ATTEMPT_SECONDS.slice(attempts + 1).map((seconds): ScalePoint => ({
            kind: 'coming',
            place: placeOnScale(seconds),
          })),
        ]),
  ];
}
