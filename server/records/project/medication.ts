import type { Entry, MedicationDetail } from '../entry.ts';
import { saysNone } from './absent-statements.ts';
import { codeKey, conceptText, conceptTexts, RXNORM } from './codeable-concept.ts';
import { at, joined, text } from './element.ts';
import { entryBase, type Facts } from './entry-base.ts';
import { labelsOf, resolved } from './reference.ts';
import type { Source } from './source.ts';

interface Drug {
  name: string | null;
  code: string | null;
  none: boolean;
}

/** The drug: named inline, contained (20 of 25 examples of the specification), or a Medication of the record. */
export function drugOf(source: Source): Drug {
  const { resource } = source;
  const inline = resource['medicationCodeableConcept'] ?? at(resource, 'medication', 'concept');
  const name = conceptText(inline);
  if (name !== null) return { name, code: codeKey(inline, [RXNORM]), none: saysNone(inline, name) };
  const reference = resource['medicationReference'] ?? at(resource, 'medication', 'reference');
  const target = resolved(reference, source);
  return { name: target.label ?? text(at(reference, 'display')), code: target.code ?? null, none: false };
}

/** Why a drug is given: reason codes and the names of the conditions referred to. */
export function reasonsOf(source: Source): string | null {
  const { resource } = source;
  return joined(
    [...conceptTexts(resource['reasonCode']), ...labelsOf(resource['reasonReference'], source)],
    '; ',
  );
}

/** The entry of the four medication resources; the resource's name tells a prescription from a dose given. */
export function medicationEntry(
  source: Source,
  drug: Drug,
  told: { facts: Omit<Facts, 'title' | 'code'>; detail: Omit<MedicationDetail, 'none'> },
): Entry[] {
  const base = entryBase(source, { title: drug.name, code: drug.code, ...told.facts });
  return [{ ...base, kind: 'medication', detail: { ...told.detail, none: drug.none } }];
}
