import type { Entry, EntryBase, MedicationDetail } from './entry.ts';
import type { Absence } from './absence-grammar.ts';
import { readAbsence, toAbsenceFields } from './absent-statements.ts';
import { toCodeKey, formatConcepts, normalizeName, RXNORM } from './codeable-concept.ts';
import {
  addStrength,
  findCodedStrength,
  findStrengthBeside,
  formatDrugTitle,
  hasStrength,
} from './drug-strength.ts';
import { joinPresent } from './element.ts';
import { buildEntryBase, toNamesField, type EntryFacts } from './entry-base.ts';
import { formatTitle } from './group-key.ts';
import { nameByNarrative } from './narrative.ts';
import { readWrittenDisplay, resolveDisplays, resolveTarget } from './reference.ts';
import type { EntryInput } from './entry-builder.ts';

interface Drug {
  name: string | null;
  code: string | null;
  absence: Absence | null;
  /** Where no part of the name states it. */
  strength: string | null;
  /** What the sender calls it, where another name says more: another source may call it so too. */
  written?: string | null;
}

/** Reads the drug: named inline, contained (20 of 25 examples of the specification), or a Medication of the record. */
export function readDrug(input: EntryInput): Drug {
  const { resource } = input;
  const inline = resource['medicationCodeableConcept'];
  const name = formatDrugTitle(inline);
  if (name !== null)
    return {
      name,
      code: toCodeKey(inline, [RXNORM]),
      absence: readAbsence(inline, name),
      strength: findCodedStrength(name, inline),
      written: formatTitle(inline),
    };
  const reference = resource['medicationReference'];
  const { display, code = null, strength = null } = resolveTarget(reference, input);
  const written = readWrittenDisplay(reference, input);
  const named = display ?? written ?? nameByNarrative(resource);
  return {
    name: named,
    code,
    absence: readAbsence(undefined, named),
    strength:
      named === null || hasStrength(named) ? null : (strength ?? findStrengthBeside(named, [written ?? ''])),
  };
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
  const detail = { ...addStrength(fields.detail, drug.strength), ...toAbsenceFields(absence, [dosage]) };
  return [{ ...base, ...toWrittenNames(base, drug), kind: 'medication', detail }];
}

/** Adds the sender's name to those by which record linkage finds the drug in another source. */
const toWrittenNames = (
  { title, names = [] }: EntryBase,
  { name, written }: Drug,
): Pick<EntryBase, 'names'> =>
  toNamesField(
    written === undefined || written === null || title !== name || written === name
      ? names
      : [...names, `title ${normalizeName(written)}`],
  );
