import type { DrugEnd } from '../../../clinical/queries/drug-ends.ts';
import { escapeValue } from './escape-markdown.ts';
import { join } from './markdown.ts';
import { formatWords } from './name-text.ts';
import { formatReference } from './reference-text.ts';

const STATE_WORDS: ReadonlyMap<string | null, string> = new Map([
  ['on-hold', 'is on hold'],
  ['not-taken', 'says that it is not taken'],
]);

/**
 * "active in the record, but the later order of 2026-06-01 is stopped: Severe bradycardia (MedicationRequest/b)"; where it is
 * not known to end the drug only what it says: "an order of 2026-06-01 with another dosage (5 mg daily) is stopped (…)".
 */
export function formatDrugEnd({ ending, order, isOtherDosage }: DrugEnd): string {
  const { dayText, endText, status, statusReason, dosage } = ending;
  const isStatement = ending.reference.startsWith('MedicationStatement/');
  const noun = isStatement ? 'statement' : 'order';
  const which =
    order === 'later' ? `active in the record, but the later ${noun}` : `${isStatement ? 'a' : 'an'} ${noun}`;
  const words = STATE_WORDS.get(status) ?? `is ${escapeValue(status)}`;
  const state = endText === null ? words : `${words}, ended ${endText}`;
  return join(
    [
      which,
      dayText === null ? 'without a date' : `of ${dayText}`,
      isOtherDosage && `with another dosage (${formatWords(dosage, 120)})`,
      statusReason === null ? state : `${state}: ${formatWords(statusReason, 200)}`,
      `(${formatReference(ending)})`,
    ],
    ' ',
  );
}
