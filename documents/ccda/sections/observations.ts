import type { Element } from 'slimdom';
import { toCodeableConcept, getOriginalText } from '../concepts.ts';
import { selectAll, getChild, getChildren, getNullFlavor, getText } from '../elements.ts';
import type { CodeableConcept, FhirObject, Reference } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import { buildReason } from '../null-flavors.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import type { Participation } from '../people.ts';
import { toRange } from '../quantities.ts';
import type { Context } from '../section.ts';
import { buildPeriodOrDateTime } from '../times.ts';
import { isPlaceholder } from './absent-statement.ts';
import { getActStatus, isDenied, listStatements } from './clinical-status.ts';
import { buildNotes, getPhrase } from './entry-relationships.ts';
import { findCell } from './narrative-table.ts';
import { buildValue, describeValue } from './observation-value.ts';
import { toCheckedConcept, toNamedConcept } from './named-concepts.ts';
import { formatBuiltValue } from './value-text.ts';

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

/** Returns the status; that of a group which was cancelled or entered in error holds for all in it. */
export const toObservationStatus = (act: Element): string => {
  const [own = 'unknown', ...groups] = listStatements(act).map((each) => toOwnStatus(each));
  const all = [own, ...groups];
  return ['entered-in-error', 'cancelled'].find((status) => all.includes(status)) ?? own;
};

const toOwnStatus = (act: Element): string => STATUSES.get(getActStatus(act) ?? '') ?? 'unknown';

/** Says of a result in a cancelled group what its own status is. */
function formatOwnStatus(observation: Element): string[] {
  const [, ...groups] = listStatements(observation);
  const group = groups.find((each) => toOwnStatus(each) === 'cancelled');
  const own = getActStatus(observation);
  return group === undefined || own === undefined || toOwnStatus(observation) === 'cancelled'
    ? []
    : [`The group that it is part of is ${getActStatus(group) ?? ''}, itself it is ${own}`];
}

const NAME_HEADING = /\b(test|result|component|name|description|vital|measure(ment)?|observation)s?\b/i;

/** Returns what was observed, by code, name or narrative; undefined where the document has none of them. */
export function getObservationCode(
  observation: Element,
  narrative: NarrativeIndex,
): CodeableConcept | undefined {
  const code = getChild(observation, 'code');
  const named = toNamedConcept(code, narrative);
  // Most tests have a short name of their own: "WBC", "ALT/GPT".
  const read = /\p{L}{6}/u.test(named?.text ?? '') ? toCheckedConcept(code, narrative) : named;
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
    note: buildNotes(observation, {
      narrative,
      exclude: [],
      more: [...formatOwnStatus(observation), ...formatMoreValues(observation, narrative)],
    }),
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
export function buildResultValue(observation: Element, narrative: NarrativeIndex): FhirObject {
  const interpretation = getChildren(observation, 'interpretationCode').flatMap<CodeableConcept>(
    (code) => toNamedConcept(code, narrative) ?? [],
  );
  const built = buildValue(getChildren(observation, 'value')[0], narrative);
  return {
    ...(isDenied(observation) ? buildDenied(built, interpretation) : { ...built, interpretation }),
    referenceRange: selectAll(observation, 'referenceRange/observationRange').flatMap<FhirObject>(
      (one) => toReferenceRange(one, narrative) ?? [],
    ),
  };
}

const NEGATED_VALUE = 'urn:hl7-org:v3:negated-value';

/** Builds what a negated observation states, which R4 has no element for: not this value, or nothing was observed. */
function buildDenied(built: FhirObject, interpretation: readonly CodeableConcept[]): FhirObject {
  const value = formatBuiltValue(built);
  if (value === undefined) return { dataAbsentReason: buildReason('not-performed') };
  const words = [value, ...interpretation.flatMap(({ text }) => text ?? [])].join(', ');
  const coded = built['valueCodeableConcept'];
  return {
    // Its codes count for protected classes, and are not the value.
    extension: coded === undefined ? [] : [{ url: NEGATED_VALUE, valueCodeableConcept: coded }],
    valueString: `not ${words} (negated in the document)`,
  };
}

/** Returns the performers and their organizations: often only these say who is responsible for a result. */
export function getPerformers(performers: readonly Participation[]): Reference[] {
  const found = performers.flatMap(({ who, organization }) => (organization ? [who, organization] : [who]));
  return [...new Map(found.map((one) => [one.reference ?? one.display, one])).values()];
}

/** Converts a reference range, which has a low, a high or a text (FHIR obs-3). */
function toReferenceRange(observed: Element, narrative: NarrativeIndex): FhirObject | undefined {
  const value = getChild(observed, 'value');
  const limits = toRange(value);
  const words = limits === undefined ? describeValue(value, narrative) : undefined;
  const text = getText(getChild(observed, 'text')) ?? getPhrase(observed, narrative) ?? words;
  if (limits === undefined && text === undefined) return undefined;
  return { ...limits, text };
}

/** Formats the further values: CDA allows several, an Observation one. */
const formatMoreValues = (observation: Element, narrative: NarrativeIndex): string[] =>
  getChildren(observation, 'value')
    .slice(1)
    .flatMap((value) => describeValue(value, narrative) ?? [])
    .map((text) => `${isDenied(observation) ? 'Also not' : 'Also'}: ${text}`);

/** Returns the specimen by its name: too little is known of it for a resource. */
function getSpecimen(holder: Element, narrative: NarrativeIndex): Reference | undefined {
  const [entity] = selectAll(holder, 'specimen/specimenRole/specimenPlayingEntity');
  const display =
    toCodeableConcept(getChild(entity, 'code'), narrative)?.text ?? getText(getChild(entity, 'name'));
  return display === undefined ? undefined : { display };
}

/** True where nothing was observed: no code, name or value, or all of them null. */
export const isEmpty = (observation: Element, narrative: NarrativeIndex): boolean =>
  getNullFlavor(observation) !== undefined ||
  (getNullFlavor(getChild(observation, 'code')) !== undefined &&
    !hasName(observation, narrative) &&
    !hasValue(observation, narrative));

/** True where an entry says that there is no result: "Result excluded/not available", or a negated one without a name. */
export const isExcluded = (observation: Element, narrative: NarrativeIndex): boolean =>
  !hasValue(observation, narrative) &&
  (isPlaceholder(getPhrase(observation, narrative)) ||
    (isDenied(observation) && !hasName(observation, narrative)));

/** Says whether the code itself names what was observed: a null flavor may have the words for it. */
function hasName(observation: Element, narrative: NarrativeIndex): boolean {
  const read = toNamedConcept(getChild(observation, 'code'), narrative);
  return read !== undefined && !isPlaceholder(read.text);
}

export const hasValue = (observation: Element, narrative: NarrativeIndex): boolean =>
  getChildren(observation, 'value').some((value) => describeValue(value, narrative) !== undefined);
