import type { Element } from 'slimdom';
import { concept, entryText, referencedText } from '../concepts.ts';
import { all, attribute, child, children, hasTemplate, textOf, typeOf } from '../elements.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import type { NarrativePlaces } from '../narrative-places.ts';
import { time } from '../times.ts';
import { codesOf, isPhrase } from './own-words.ts';

const COMMENT = '48767-8';

/** Observations that say more about a statement: `entryRelationship/observation`. */
export const relatedObservations = (statement: Element): Element[] =>
  all(statement, 'entryRelationship/observation');

/** The related observation with one of these codes or templates. */
export function related(
  statement: Element,
  { codes, templates }: { codes: readonly string[]; templates: readonly string[] },
): Element | undefined {
  return relatedObservations(statement).find((one) => isOf(one, { codes, templates }));
}

export function isOf(
  observation: Element,
  { codes, templates }: { codes: readonly string[]; templates: readonly string[] },
): boolean {
  return (
    hasTemplate(observation, ...templates) ||
    codesOf(child(observation, 'code')).some((code) => codes.includes(code))
  );
}

/** R1.1 Problem Status and Allergy Status, R2.1 the same. */
export const STATUS = {
  codes: ['33999-4'],
  templates: [
    '2.16.840.1.113883.10.20.22.4.6',
    '2.16.840.1.113883.10.20.22.4.28',
    '2.16.840.1.113883.10.20.22.4.47',
  ],
};
export const SEVERITY = { codes: ['SEV'], templates: ['2.16.840.1.113883.10.20.22.4.8'] };

/** A value as a concept: coded, as text, or as the piece of the narrative it points to. */
export function conceptOfValue(
  value: Element | undefined,
  narrative: NarrativePlaces,
): CodeableConcept | undefined {
  const coded = concept(value, narrative);
  if (coded !== undefined || value === undefined) return coded;
  const text = /^(ED|ST)$/.test(typeOf(value) ?? '') ? referencedText(value, narrative) : undefined;
  return text === undefined ? undefined : { text };
}

/** A value in one line: "Symptom Free", "57 a", "2020-09-19". */
export function valueInWords(value: Element | undefined, narrative: NarrativePlaces): string | undefined {
  const type = typeOf(value) ?? '';
  if (type === 'TS' || type === 'IVL_TS') return time(value)?.value;
  const said = conceptOfValue(value, narrative)?.text ?? textOf(value);
  if (said !== undefined) return said;
  const [number, unit] = [attribute(value, 'value'), attribute(value, 'unit')];
  return number === undefined
    ? undefined
    : [number, unit === '1' ? undefined : unit].filter(Boolean).join(' ');
}

/** Comment activities of a statement, and what else is related to it and has no element of its own. */
export function notesOf(
  statement: Element,
  {
    narrative,
    besides,
    more = [],
  }: { narrative: NarrativePlaces; besides: readonly Element[]; more?: readonly string[] },
): FhirObject[] {
  const left = new Set(besides);
  const comments = all(statement, 'entryRelationship/act')
    .filter((act) => codesOf(child(act, 'code')).includes(COMMENT))
    .flatMap((act) => entryText(act, narrative) ?? []);
  const said = relatedObservations(statement)
    .filter((one) => !left.has(one))
    .flatMap((one) => inWords(one, narrative) ?? []);
  return [...new Set([...comments, ...more, ...said])].map((text) => ({ text }));
}

/** "Delivery date Estimated: 2020-09-19". */
function inWords(observation: Element, narrative: NarrativePlaces): string | undefined {
  const label = concept(child(observation, 'code'), narrative)?.text;
  const values = children(observation, 'value').flatMap((value) => valueInWords(value, narrative) ?? []);
  const said = values.join(', ') || undefined;
  return label === undefined || said === undefined ? said : `${label}: ${said}`;
}

/** The narrative an entry points to, where it is a phrase rather than a row. */
export function phraseOf(statement: Element | undefined, narrative: NarrativePlaces): string | undefined {
  const text = entryText(statement, narrative);
  return text !== undefined && isPhrase(text) ? text : undefined;
}

const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem';

export const termOf = (system: string, code: string): CodeableConcept => ({
  coding: [{ system: `${TERMINOLOGY}/${system}`, code }],
});
