import type { Entry, MedicationDetail } from './entry.ts';
import { isAbsentStatement } from './absent-statements.ts';
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
  none: boolean;
}

/** Reads the drug: named inline, contained (20 of 25 examples of the specification), or a Medication of the record. */
export function readDrug(input: EntryInput): Drug {
  const { resource } = input;
  const inline = resource['medicationCodeableConcept'] ?? getPath(resource, 'medication', 'concept');
  const name = formatTitle(inline);
  if (name !== null)
    return { name, code: toCodeKey(inline, [RXNORM]), none: isAbsentStatement(inline, name) };
  const reference = resource['medicationReference'] ?? getPath(resource, 'medication', 'reference');
  const target = resolveTarget(reference, input);
  const named = target.display ?? readText(getPath(reference, 'display'));
  if (named !== null) return { name: named, code: target.code ?? null, none: false };
  const described = nameByNarrative(resource);
  return { name: described, code: target.code ?? null, none: isAbsentStatement(undefined, described) };
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
  fields: { facts: Omit<EntryFacts, 'title' | 'code'>; detail: Omit<MedicationDetail, 'none'> },
): Entry[] {
  const base = buildEntryBase(input, { title: drug.name, code: drug.code, ...fields.facts });
  return [{ ...base, kind: 'medication', detail: { ...fields.detail, none: drug.none } }];
}
