import { revealAndTruncate } from '../listen/reveal-invisible.ts';

/** What one check found: `detail` is a sentence, and `remedy` what mends it. No secret and no data of a person is in either. */
export interface Finding {
  /** A stable name, in snake_case. */
  check: string;
  outcome: 'ok' | 'warning' | 'failed' | 'skipped';
  detail: string;
  remedy?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, outcome: 'ok', detail });

export const skipped = (check: string, detail: string): Finding => ({ check, outcome: 'skipped', detail });

export const warning = (check: string, detail: string, remedy: string): Finding => ({
  check,
  outcome: 'warning',
  detail,
  remedy,
});

export const failed = (check: string, detail: string, remedy: string): Finding => ({
  check,
  outcome: 'failed',
  detail,
  remedy,
});

const SIGNS = { ok: 'ok', warning: 'warn', failed: 'FAIL', skipped: 'skip' } as const;

/** A sentence may quote what answers under the base URL, which may be anybody. */
const MAX_DETAIL_LENGTH = 1000;

/** Formats a finding as lines for a terminal. */
export const formatFinding = ({ check, outcome, detail, remedy }: Finding): string[] => [
  `${SIGNS[outcome].padEnd(5)} ${check.padEnd(14)} ${revealAndTruncate(detail, MAX_DETAIL_LENGTH)}`,
  ...(remedy === undefined ? [] : [`${' '.repeat(21)}${remedy}`]),
];
