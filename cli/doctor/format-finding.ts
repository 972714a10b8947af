import type { Finding } from '../../server/surfaces/doctor/finding.ts';
import { revealAndTruncate } from '../listen/reveal-invisible.ts';

const SIGNS = { ok: 'ok', warning: 'warn', failed: 'FAIL', skipped: 'skip' } as const;

/** A sentence may quote what answers under the base URL, which may be anybody. */
const MAX_DETAIL_LENGTH = 1000;

/** Formats a finding as lines for a terminal. */
export const formatFinding = ({
  check,
  outcome,
  detail,
  remedy,
}: Pick<Finding, 'check' | 'outcome' | 'detail' | 'remedy'>): string[] => [
  `${SIGNS[outcome].padEnd(5)} ${check.padEnd(14)} ${revealAndTruncate(detail, MAX_DETAIL_LENGTH)}`,
  ...(remedy === null ? [] : [`${' '.repeat(21)}${remedy}`]),
];
