import type { Entry, MedicationDetail } from './entry.ts';
import type { Absence } from './absence-grammar.ts';
import { readAbsence, toAbsenceFields } from './absent-statements.ts';
import { toCodeKey, formatConcepts, RXNORM } from './codeable-concept.ts';
import { getPath, joinPresent, readText } from './element.ts';
import { formatTitle } from './group-key.ts';
import { buildEntryBase, type EntryFacts } from './entry-base.ts';
import { nameByNarrative } from './narrative.ts';
import { resolveDisplays, resolveTarget } from './reference.ts';
import type { EntryInput } from './entry-builder.ts';

interface Drug {
  name: string | null;
  code: string | null;
  absence: Absence | null;
}

/** Reads the drug: named inline, contained (20 of 25 examples of the specification), or a Medication of the record. */
export function readDrug(input: EntryInput): Drug {
  const { resource } = input;
  const inline = resource['medicationCodeableConcept'] ?? getPath(resource, 'medication', 'concept');
  const name = formatTitle(inline);
  if (name !== null) return { name, code: toCodeKey(inline, [RXNORM]), absence: readAbsence(inline, name) };
  const reference = resource['medicationReference'] ?? getPath(resource, 'medication', 'reference');
  const target = resolveTarget(reference, input);
  const named = target.display ?? readText(getPath(reference, 'display'));
  if (named !== null)
    return { name: named, code: target.code ?? null, absence: readAbsence(undefined, named) };
  const described = nameByNarrative(resource);
  return { name: described, code: target.code ?? null, absence: readAbsence(undefined, described) };
}

/** Formats why a drug is given: reason codes and the names of the conditions referred to. */
export function formatReasons(input: EntryInput): string | null {
  const { resource } = input;
  return joinPresent(
    [...formatConcepts(resource['reasonCode']), ...resolveDisplays(resource['reasonReference'], input)],
    '; ',
  );
}

/** Builds the entry of any of the four medication resources; `detail.resource` distinguishes a prescription from a dose given. */
export function buildMedicationEntry(
  input: EntryInput,
  drug: Drug,
  fields: {
    facts: Omit<EntryFacts, 'title' | 'code'>;
    detail: Omit<MedicationDetail, 'none' | 'noInformation'>;
  },
): Entry[] {
  const base = buildEntryBase(input, { title: drug.name, code: drug.code, ...fields.facts });
  const { resource, dosage } = fields.detail;
  // A dose that was given or dispensed is one, whatever it was.
  const isHandled = resource === 'MedicationAdministration' || resource === 'MedicationDispense';
  const absence = isHandled && drug.absence === 'no information' ? null : drug.absence;
  const detail = { ...fields.detail, ...toAbsenceFields(absence, [dosage]) };
  return [{ ...base, kind: 'medication', detail }];
}
