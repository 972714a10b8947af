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

const stateAs =
  (outcome: FindingOutcome) =>
  <const Check extends string>(check: Check, detail: string): FindingSentences<Check> => ({
    check,
    outcome,
    detail,
    remedy: null,
  });

const adviseAs =
  (outcome: FindingOutcome) =>
  <const Check extends string>(check: Check, detail: string, remedy: string): FindingSentences<Check> => ({
    check,
    outcome,
    detail,
    remedy,
  });

export const ok = stateAs('ok');
export const skipped = stateAs('skipped');
export const warning = adviseAs('warning');
export const failed = adviseAs('failed');
