/** What became of one check of a deployment. */
export const FINDING_OUTCOMES = ['ok', 'warning', 'failed', 'skipped'] as const;
export type FindingOutcome = (typeof FINDING_OUTCOMES)[number];

/** A sentence that says what was found, and another that says what mends it; `{name}` stands for a value. */
export interface FindingSentences<Check extends string = string> {
  /** A stable name, in snake_case; several findings may be of one check. */
  check: Check;
  outcome: FindingOutcome;
  detail: string;
  remedy: string | null;
}

export const ok = <const Check extends string>(check: Check, detail: string): FindingSentences<Check> => ({
  check,
  outcome: 'ok',
  detail,
  remedy: null,
});

export const skipped = <const Check extends string>(
  check: Check,
  detail: string,
): FindingSentences<Check> => ({
  check,
  outcome: 'skipped',
  detail,
  remedy: null,
});

export const warning = <const Check extends string>(
  check: Check,
  detail: string,
  remedy: string,
): FindingSentences<Check> => ({
  check,
  outcome: 'warning',
  detail,
  remedy,
});

export const failed = <const Check extends string>(
  check: Check,
  detail: string,
  remedy: string,
): FindingSentences<Check> => ({
  check,
  outcome: 'failed',
  detail,
  remedy,
});
