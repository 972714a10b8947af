import type { Element } from 'slimdom';
import { toCodeableConcept, toConceptOrAbsent } from '../concepts.ts';
import {
  selectAll,
  getAttribute,
  getChild,
  getChildren,
  selectFirst,
  isNegated,
  getNullFlavor,
  getSdtcChild,
} from '../elements.ts';
import type { FhirObject } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import { formatName } from '../contact-details.ts';
import { toQuantity } from '../quantities.ts';
import type { SkipReason } from '../resource-list.ts';
import type { Context, CdaEntry, SectionKind } from '../section.ts';
import { buildDateTime, formatTime, toDate, toTime } from '../times.ts';
import { toGender } from '../gender.ts';
import { isNullified } from './clinical-status.ts';
import { conceptFromValue, buildNotes, findRelated, formatValue, getPhrase } from './entry-relationships.ts';

const AGE = { codes: ['445518008', '397659008', '35267-4'], templates: ['2.16.840.1.113883.10.20.22.4.31'] };

/** Converts Family History Organizers: one relative each, with their conditions. */
export const familyHistory: SectionKind = {
  name: 'family history',
  codes: ['10157-6'],
  templates: ['2.16.840.1.113883.10.20.22.2.15', '2.16.840.1.113883.10.20.1.4'],
  convert: convertRelative,
};

function convertRelative({ statement, position }: CdaEntry, context: Context): SkipReason | null {
  if (getNullFlavor(statement) !== undefined) return 'null_flavored';
  const relative = selectFirst(statement, 'subject/relatedSubject');
  if (statement.localName !== 'organizer' || relative === undefined) return 'no_form';
  const { narrative, patient, resources } = context;
  const person = getChild(relative, 'subject');
  const gender = toGender(getChild(person, 'administrativeGenderCode'));
  const stated = selectAll(statement, 'component/observation').filter(
    (one) => isNullified(statement) || !isNullified(one),
  );
  const observations = stated.filter((one) => !isNegated(one));
  // R4 has no negation of a relative's condition.
  const denied = stated
    .filter(isNegated)
    .flatMap((one) => formatValue(getChild(one, 'value'), narrative) ?? getPhrase(one, narrative) ?? []);
  resources.add('FamilyMemberHistory', position, {
    identifier: toIdentifiers(statement),
    status: isNullified(statement) ? 'entered-in-error' : 'completed',
    patient,
    name: formatName(person),
    relationship: toConceptOrAbsent(getChild(relative, 'code'), narrative),
    sex: gender && {
      coding: [{ system: 'http://hl7.org/fhir/administrative-gender', code: gender }],
    },
    ...buildBorn(person),
    ...buildDeceased(person, observations),
    condition: observations.flatMap((observation) => buildConditions(observation, context)),
    note: denied.map((text) => ({ text: `Denied: ${text}` })),
  });
  return null;
}

function buildBorn(person: Element | undefined): FhirObject {
  const birth = toTime(getChild(person, 'birthTime'));
  return birth === undefined
    ? {}
    : buildDateTime('bornDate', { ...birth, value: toDate(birth) ?? birth.value });
}

/** Builds `deceased`: R2.1 has it at the person, R1.1 as a Family History Death Observation below the cause of death. */
function buildDeceased(person: Element | undefined, observations: readonly Element[]): FhirObject {
  const died = toTime(getSdtcChild(person, 'deceasedTime'));
  if (died !== undefined)
    return buildDateTime('deceasedDate', { ...died, value: toDate(died) ?? died.value });
  const indicator = getAttribute(getSdtcChild(person, 'deceasedInd'), 'value');
  if (indicator === 'true' || indicator === 'false') return { deceasedBoolean: indicator === 'true' };
  return observations.some(isCauseOfDeath) ? { deceasedBoolean: true } : {};
}

const isCauseOfDeath = (observation: Element): boolean =>
  getChildren(observation, 'entryRelationship').some((one) => getAttribute(one, 'typeCode') === 'CAUS');

function buildConditions(observation: Element, { narrative }: Context): FhirObject[] {
  const code = conceptFromValue(getChild(observation, 'value'), narrative);
  if (code === undefined || getNullFlavor(observation) !== undefined) return [];
  const age = findRelated(observation, AGE);
  const years = toQuantity(getChild(age, 'value'));
  const since = toTime(getChild(observation, 'effectiveTime'));
  return [
    {
      code,
      contributedToDeath: isCauseOfDeath(observation) ? true : undefined,
      onsetAge: years,
      onsetString: years === undefined ? formatTime(since) : undefined,
      note: buildNotes(observation, {
        narrative,
        exclude:
          age === undefined ? getDeathObservations(observation) : [age, ...getDeathObservations(observation)],
      }),
      outcome: isCauseOfDeath(observation)
        ? toCodeableConcept(getChild(getDeathObservations(observation)[0], 'value'), narrative)
        : undefined,
    },
  ];
}

const getDeathObservations = (observation: Element): Element[] =>
  getChildren(observation, 'entryRelationship')
    .filter((one) => getAttribute(one, 'typeCode') === 'CAUS')
    .flatMap((one) => getChild(one, 'observation') ?? []);
