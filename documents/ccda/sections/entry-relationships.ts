import type { Element } from 'slimdom';
import { toCodeableConcept, getEntryText, resolveText } from '../concepts.ts';
import {
  selectAll,
  getAttribute,
  getChild,
  getChildren,
  hasTemplateId,
  getText,
  getXsiType,
} from '../elements.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import { formatTime, toTime } from '../times.ts';
import { getCodes, isPhrase } from './named-concepts.ts';
import { describeValue } from './observation-value.ts';

const COMMENT = '48767-8';

/** Returns the observations related to a statement: `entryRelationship/observation`. */
export const getRelatedObservations = (statement: Element): Element[] =>
  selectAll(statement, 'entryRelationship/observation');

/** Finds the related observation with one of these codes or templates. */
export function findRelated(
  statement: Element,
  { codes, templates }: { codes: readonly string[]; templates: readonly string[] },
): Element | undefined {
  return getRelatedObservations(statement).find((one) => hasCodeOrTemplate(one, { codes, templates }));
}

export function hasCodeOrTemplate(
  observation: Element,
  { codes, templates }: { codes: readonly string[]; templates: readonly string[] },
): boolean {
  return (
    hasTemplateId(observation, ...templates) ||
    getCodes(getChild(observation, 'code')).some((code) => codes.includes(code))
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

/** Converts a value to a concept: coded, text, or the narrative it points to. */
export function conceptFromValue(
  value: Element | undefined,
  narrative: NarrativeIndex,
): CodeableConcept | undefined {
  const coded = toCodeableConcept(value, narrative);
  if (coded !== undefined || value === undefined) return coded;
  const text = /^(ED|ST)$/.test(getXsiType(value) ?? '') ? resolveText(value, narrative) : undefined;
  return text === undefined ? undefined : { text };
}

/** Formats a value in one line: "Symptom Free", "57 a", "2020-09-19". */
export function formatValue(value: Element | undefined, narrative: NarrativeIndex): string | undefined {
  const type = getXsiType(value) ?? '';
  if (type === 'TS' || type === 'IVL_TS') return formatTime(toTime(value));
  const text = conceptFromValue(value, narrative)?.text ?? getText(value);
  if (text !== undefined) return text;
  const [number, unit] = [getAttribute(value, 'value'), getAttribute(value, 'unit')];
  return number === undefined
    ? describeValue(value, narrative)
    : [number, unit === '1' ? undefined : unit].filter(Boolean).join(' ');
}

/** Builds notes from the comment activities of a statement, and from related observations without an element of their own. */
export function buildNotes(
  statement: Element,
  {
    narrative,
    exclude,
    more = [],
  }: { narrative: NarrativeIndex; exclude: readonly Element[]; more?: readonly string[] },
): FhirObject[] {
  const excluded = new Set(exclude);
  const comments = selectAll(statement, 'entryRelationship/act')
    .filter((act) => getCodes(getChild(act, 'code')).includes(COMMENT))
    .flatMap((act) => getEntryText(act, narrative) ?? []);
  const texts = getRelatedObservations(statement)
    .filter((one) => !excluded.has(one))
    .flatMap((one) => formatObservation(one, narrative) ?? []);
  return [...new Set([...comments, ...more, ...texts])].map((text) => ({ text }));
}

/** Formats an observation: "Delivery date Estimated: 2020-09-19". */
function formatObservation(observation: Element, narrative: NarrativeIndex): string | undefined {
  const label = toCodeableConcept(getChild(observation, 'code'), narrative)?.text;
  const values = getChildren(observation, 'value').flatMap((value) => formatValue(value, narrative) ?? []);
  const text = values.join(', ') || undefined;
  return label === undefined || text === undefined ? text : `${label}: ${text}`;
}

/** Returns the narrative that an entry points to, where it is a phrase rather than a row. */
export function getPhrase(statement: Element | undefined, narrative: NarrativeIndex): string | undefined {
  const text = getEntryText(statement, narrative);
  return text !== undefined && isPhrase(text) ? text : undefined;
}

const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem';

export const buildConcept = (system: string, code: string): CodeableConcept => ({
  coding: [{ system: `${TERMINOLOGY}/${system}`, code }],
});
