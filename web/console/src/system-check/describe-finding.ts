import type { DoctorFinding } from '../../../../contract/organization/doctor/doctor.ts';
import type { FindingWords } from './use-finding-words.ts';

/** The sentences of a finding in the page's language; the service answers those in English. */
export function describeFinding(
  { code, values, detail, remedy }: Pick<DoctorFinding, 'code' | 'values' | 'detail' | 'remedy'>,
  { findings, reasons }: FindingWords,
): { detail: string; remedy: string | null } {
  if (findings === null) return { detail, remedy };
  const [translated, mends = null] = findings[code];
  const insert = (sentence: string): string =>
    sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => translateReason(values[name] ?? '', reasons));
  return { detail: insert(translated), remedy: mends && insert(mends) };
}

/** A fault of a connection ends with its code in brackets, by which it is known. */
function translateReason(value: string, reasons: FindingWords['reasons']): string {
  const [, code = ''] = /\((\w+)\)$/.exec(value) ?? [];
  const reason = reasons.get(code);
  return reason === undefined ? value : `${reason} (${code})`;
}
