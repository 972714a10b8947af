import type { Element } from 'slimdom';
import { toCodeableConcept, getOriginalText } from '../concepts.ts';
import {
  selectAll,
  getAttribute,
  getChild,
  getChildren,
  getNullFlavor,
  getText,
  getXsiType,
} from '../elements.ts';
import type { CodeableConcept, FhirObject, Reference } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import type { Participation } from '../people.ts';
import { toRange } from '../quantities.ts';
import type { Context } from '../section.ts';
import { buildPeriodOrDateTime } from '../times.ts';
import { buildNotes, getPhrase } from './entry-relationships.ts';
import { findCell } from './narrative-table.ts';
import { buildValue } from './observation-value.ts';
import { toNamedConcept } from './named-concepts.ts';

/** FHIR's status for the statusCode of an act that observes. */
const STATUSES = new Map([
  ['completed', 'final'],
  ['active', 'preliminary'],
  ['held', 'registered'],
  ['new', 'registered'],
  ['suspended', 'registered'],
  ['aborted', 'cancelled'],
  ['cancelled', 'cancelled'],
  ['nullified', 'entered-in-error'],
  ['obsolete', 'entered-in-error'],
]);

export const toObservationStatus = (act: Element): string =>
  STATUSES.get(getAttribute(getChild(act, 'statusCode'), 'code') ?? '') ?? 'unknown';

const NAME_HEADING = /\b(test|result|component|name|description|vital|measure(ment)?|observation)s?\b/i;

/** Returns what was observed, by code, name or narrative; undefined where the document has none of them. */
export function getObservationCode(
  observation: Element,
  narrative: NarrativeIndex,
): CodeableConcept | undefined {
  const code = getChild(observation, 'code');
  const read = toNamedConcept(code, narrative);
  if (read?.text !== undefined) return read;
  const cell = findCell(observation, NAME_HEADING, narrative);
  const name = getOriginalText(code, narrative) ?? cell ?? getPhrase(observation, narrative);
  return name === undefined ? read : { ...read, text: name };
}

/** Builds an Observation without its category. */
export function buildObservation(
  observation: Element,
  { code, inherited }: { code: CodeableConcept; inherited: InheritedValues },
  context: Context,
): FhirObject {
  const { narrative, people } = context;
  const when = buildPeriodOrDateTime('effective', getChild(observation, 'effectiveTime'));
  const performers = people.findPerformers(observation);
  return {
    identifier: toIdentifiers(observation),
    status: toObservationStatus(observation),
    code,
    subject: context.patient,
    ...(Object.keys(when).length > 0 ? when : inherited.when),
    performer: getPerformers(performers.length > 0 ? performers : inherited.performers),
    ...buildResultValue(observation, narrative),
    method: toCodeableConcept(getChild(observation, 'methodCode'), narrative),
    bodySite: toCodeableConcept(getChild(observation, 'targetSiteCode'), narrative),
    specimen: getSpecimen(observation, narrative) ?? inherited.specimen,
    note: buildNotes(observation, { narrative, exclude: [], more: formatMoreValues(observation, narrative) }),
  };
}

/** The values of an organizer that hold for all its observations. */
export interface InheritedValues {
  when: FhirObject;
  performers: readonly Participation[];
  specimen: Reference | undefined;
}

export function getInherited(
  organizer: Element | undefined,
  { narrative, people }: Context,
): InheritedValues {
  return {
    when: buildPeriodOrDateTime('effective', getChild(organizer, 'effectiveTime')),
    performers: people.findPerformers(organizer),
    specimen: organizer && getSpecimen(organizer, narrative),
  };
}

/** Builds value, interpretation and reference range of an Observation or of a component. */
export const buildResultValue = (observation: Element, narrative: NarrativeIndex): FhirObject => ({
  ...buildValue(getChildren(observation, 'value')[0], narrative),
  interpretation: getChildren(observation, 'interpretationCode').flatMap<CodeableConcept>(
    (code) => toNamedConcept(code, narrative) ?? [],
  ),
  referenceRange: selectAll(observation, 'referenceRange/observationRange').flatMap<FhirObject>(
    (one) => toReferenceRange(one, narrative) ?? [],
  ),
});

/** Returns the performers and their organizations: often only these say who is responsible for a result. */
export function getPerformers(performers: readonly Participation[]): Reference[] {
  const found = performers.flatMap(({ who, organization }) => (organization ? [who, organization] : [who]));
  return [...new Map(found.map((one) => [one.reference ?? one.display, one])).values()];
}

/** Converts a reference range, which has a low, a high or a text (FHIR obs-3). */
function toReferenceRange(observed: Element, narrative: NarrativeIndex): FhirObject | undefined {
  const value = getChild(observed, 'value');
  const limits = toRange(value);
  const words =
    getXsiType(value) === 'ST' || getXsiType(value) === 'ED'
      ? getText(value)
      : toCodeableConcept(value, narrative)?.text;
  const text = getText(getChild(observed, 'text')) ?? getPhrase(observed, narrative) ?? words;
  if (limits === undefined && text === undefined) return undefined;
  return { ...limits, text };
}

/** Formats the further values: CDA allows several, an Observation one. */
const formatMoreValues = (observation: Element, narrative: NarrativeIndex): string[] =>
  getChildren(observation, 'value')
    .slice(1)
    .flatMap((value) => {
      const text = getText(value) ?? toCodeableConcept(value, narrative)?.text;
      const number = [getAttribute(value, 'value'), getAttribute(value, 'unit')].filter(Boolean).join(' ');
      const formatted = text ?? number;
      return formatted === '' ? [] : `Also: ${formatted}`;
    });

/** Returns the specimen by its name: too little is known of it for a resource. */
function getSpecimen(holder: Element, narrative: NarrativeIndex): Reference | undefined {
  const [entity] = selectAll(holder, 'specimen/specimenRole/specimenPlayingEntity');
  const display =
    toCodeableConcept(getChild(entity, 'code'), narrative)?.text ?? getText(getChild(entity, 'name'));
  return display === undefined ? undefined : { display };
}

/** True where nothing was observed: no code, name or value, or all of them null. */
export const isEmpty = (observation: Element): boolean =>
  getNullFlavor(observation) !== undefined ||
  (getNullFlavor(getChild(observation, 'code')) !== undefined &&
    getChildren(observation, 'value').every((value) => getNullFlavor(value) !== undefined));
