import type { DoctorFinding } from '../../../contract/organization/doctor/doctor.ts';
import { FINDINGS, type FindingCode } from '../../../contract/organization/doctor/findings.ts';

/** What one check found: `detail` is a sentence, and `remedy` what mends it. No secret and no data of a person is in either. */
export type Finding = DoctorFinding;

/** Builds a finding: the sentences of its code, with the values that they name. */
export function createFinding(code: FindingCode, given: Record<string, string | number> = {}): Finding {
  const { check, outcome, detail, remedy } = FINDINGS[code];
  const values = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const insert = (sentence: string): string =>
    sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  return { check, outcome, code, values, detail: insert(detail), remedy: remedy && insert(remedy) };
}
