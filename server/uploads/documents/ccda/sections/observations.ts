import type { Element } from 'slimdom';
import { concept, originalText } from '../concepts.ts';
import { all, attribute, child, children, nullFlavor, textOf, typeOf } from '../elements.ts';
import type { CodeableConcept, FhirObject, Reference } from '../fhir-values.ts';
import { identifiers } from '../identifiers.ts';
import type { NarrativePlaces } from '../narrative-places.ts';
import type { Doer } from '../people.ts';
import { range } from '../quantities.ts';
import type { Context } from '../section.ts';
import { timed } from '../times.ts';
import { notesOf, phraseOf } from './entry-parts.ts';
import { cellBeside } from './narrative-row.ts';
import { valueOf } from './observation-value.ts';
import { namedConcept } from './own-words.ts';

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

export const observationStatus = (act: Element): string =>
  STATUSES.get(attribute(child(act, 'statusCode'), 'code') ?? '') ?? 'unknown';

const NAME_HEADING = /\b(test|result|component|name|description|vital|measure(ment)?|observation)s?\b/i;

/** What was observed, by code, name or narrative; undefined where the document gives it none of them. */
export function observedCode(observation: Element, narrative: NarrativePlaces): CodeableConcept | undefined {
  const code = child(observation, 'code');
  const read = namedConcept(code, narrative);
  if (read?.text !== undefined) return read;
  const beside = cellBeside(observation, NAME_HEADING, narrative);
  const name = originalText(code, narrative) ?? beside ?? phraseOf(observation, narrative);
  return name === undefined ? read : { ...read, text: name };
}

/** Everything of an Observation but its category: what was observed, when, by whom, with what result. */
export function observationOf(
  observation: Element,
  { code, inherited }: { code: CodeableConcept; inherited: Inherited },
  context: Context,
): FhirObject {
  const { narrative, people } = context;
  const when = timed('effective', child(observation, 'effectiveTime'));
  const performers = people.performers(observation);
  return {
    identifier: identifiers(observation),
    status: observationStatus(observation),
    code,
    subject: context.patient,
    ...(Object.keys(when).length > 0 ? when : inherited.when),
    performer: performersOf(performers.length > 0 ? performers : inherited.performers),
    ...judgedValue(observation, narrative),
    method: concept(child(observation, 'methodCode'), narrative),
    bodySite: concept(child(observation, 'targetSiteCode'), narrative),
    specimen: specimenOf(observation, narrative) ?? inherited.specimen,
    note: notesOf(observation, { narrative, besides: [], more: moreValues(observation, narrative) }),
  };
}

/** What the organizer says for all that it holds. */
export interface Inherited {
  when: FhirObject;
  performers: readonly Doer[];
  specimen: Reference | undefined;
}

export function inheritedFrom(organizer: Element | undefined, { narrative, people }: Context): Inherited {
  return {
    when: timed('effective', child(organizer, 'effectiveTime')),
    performers: people.performers(organizer),
    specimen: organizer && specimenOf(organizer, narrative),
  };
}

/** Value, interpretation and reference range: of an Observation, and of a component of one. */
export const judgedValue = (observation: Element, narrative: NarrativePlaces): FhirObject => ({
  ...valueOf(children(observation, 'value')[0], narrative),
  interpretation: children(observation, 'interpretationCode').flatMap<CodeableConcept>(
    (code) => namedConcept(code, narrative) ?? [],
  ),
  referenceRange: all(observation, 'referenceRange/observationRange').flatMap<FhirObject>(
    (one) => rangeOf(one, narrative) ?? [],
  ),
});

/** People, and the organization they did it for: who answers for a result is often only told so. */
export function performersOf(performers: readonly Doer[]): Reference[] {
  const found = performers.flatMap(({ who, organization }) => (organization ? [who, organization] : [who]));
  return [...new Map(found.map((one) => [one.reference ?? one.display, one])).values()];
}

/** FHIR obs-3: a range has a low, a high or a text. */
function rangeOf(observed: Element, narrative: NarrativePlaces): FhirObject | undefined {
  const value = child(observed, 'value');
  const measured = range(value);
  const words =
    typeOf(value) === 'ST' || typeOf(value) === 'ED' ? textOf(value) : concept(value, narrative)?.text;
  const text = textOf(child(observed, 'text')) ?? phraseOf(observed, narrative) ?? words;
  if (measured === undefined && text === undefined) return undefined;
  return { ...measured, text };
}

/** An Observation has one value; CDA allows more. */
const moreValues = (observation: Element, narrative: NarrativePlaces): string[] =>
  children(observation, 'value')
    .slice(1)
    .flatMap((value) => {
      const text = textOf(value) ?? concept(value, narrative)?.text;
      const number = [attribute(value, 'value'), attribute(value, 'unit')].filter(Boolean).join(' ');
      const said = text ?? number;
      return said === '' ? [] : `Also: ${said}`;
    });

/** The sample by its words: nothing else is known of it that would make it a resource. */
function specimenOf(holder: Element, narrative: NarrativePlaces): Reference | undefined {
  const [entity] = all(holder, 'specimen/specimenRole/specimenPlayingEntity');
  const display = concept(child(entity, 'code'), narrative)?.text ?? textOf(child(entity, 'name'));
  return display === undefined ? undefined : { display };
}

/** Nothing observed: no code, name or value, or all of it null. */
export const isEmpty = (observation: Element): boolean =>
  nullFlavor(observation) !== undefined ||
  (nullFlavor(child(observation, 'code')) !== undefined &&
    children(observation, 'value').every((value) => nullFlavor(value) !== undefined));
