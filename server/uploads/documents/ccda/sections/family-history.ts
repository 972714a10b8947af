import type { Element } from 'slimdom';
import { concept, conceptOrAbsent } from '../concepts.ts';
import { all, attribute, child, children, first, isNegated, nullFlavor, sdtcChild } from '../elements.ts';
import type { FhirObject } from '../fhir-values.ts';
import { identifiers } from '../identifiers.ts';
import { nameText } from '../names.ts';
import { quantity } from '../quantities.ts';
import type { LeftOut } from '../resource-list.ts';
import type { Context, Entry, SectionKind } from '../section.ts';
import { dated, dateOf, time } from '../times.ts';
import { genderOf } from '../gender.ts';
import { conceptOfValue, notesOf, related } from './entry-parts.ts';

const AGE = { codes: ['445518008', '397659008', '35267-4'], templates: ['2.16.840.1.113883.10.20.22.4.31'] };

/** Family History Organizers: one relative each, with what they had. */
export const familyHistory: SectionKind = {
  name: 'family history',
  codes: ['10157-6'],
  templates: ['2.16.840.1.113883.10.20.22.2.15', '2.16.840.1.113883.10.20.1.4'],
  convert: convertRelative,
};

function convertRelative({ statement, position }: Entry, context: Context): LeftOut | null {
  if (nullFlavor(statement) !== undefined) return 'null_flavored';
  const relative = first(statement, 'subject/relatedSubject');
  if (statement.localName !== 'organizer' || relative === undefined) return 'no_form';
  const { narrative, patient, resources } = context;
  const person = child(relative, 'subject');
  const gender = genderOf(child(person, 'administrativeGenderCode'));
  const had = all(statement, 'component/observation').filter((one) => !isNegated(one));
  resources.add('FamilyMemberHistory', position, {
    identifier: identifiers(statement),
    status: 'completed',
    patient,
    name: nameText(person),
    relationship: conceptOrAbsent(child(relative, 'code'), narrative),
    sex: gender && {
      coding: [{ system: 'http://hl7.org/fhir/administrative-gender', code: gender }],
    },
    ...born(person),
    ...deceased(person, had),
    condition: had.flatMap((observation) => conditionOf(observation, context)),
  });
  return null;
}

function born(person: Element | undefined): FhirObject {
  const birth = time(child(person, 'birthTime'));
  return birth === undefined ? {} : dated('bornDate', { ...birth, value: dateOf(birth) ?? birth.value });
}

/** R2.1 says it of the person, R1.1 by a Family History Death Observation beneath what they died of. */
function deceased(person: Element | undefined, had: readonly Element[]): FhirObject {
  const died = time(sdtcChild(person, 'deceasedTime'));
  if (died !== undefined) return dated('deceasedDate', { ...died, value: dateOf(died) ?? died.value });
  const said = attribute(sdtcChild(person, 'deceasedInd'), 'value');
  if (said === 'true' || said === 'false') return { deceasedBoolean: said === 'true' };
  return had.some(diedOf) ? { deceasedBoolean: true } : {};
}

const diedOf = (observation: Element): boolean =>
  children(observation, 'entryRelationship').some((one) => attribute(one, 'typeCode') === 'CAUS');

function conditionOf(observation: Element, { narrative }: Context): FhirObject[] {
  const code = conceptOfValue(child(observation, 'value'), narrative);
  if (code === undefined || nullFlavor(observation) !== undefined) return [];
  const age = related(observation, AGE);
  const years = quantity(child(age, 'value'));
  const since = time(child(observation, 'effectiveTime'));
  return [
    {
      code,
      contributedToDeath: diedOf(observation) ? true : undefined,
      onsetAge: years,
      onsetString: years === undefined ? since?.value : undefined,
      note: notesOf(observation, {
        narrative,
        besides: age === undefined ? deathsOf(observation) : [age, ...deathsOf(observation)],
      }),
      outcome: diedOf(observation) ? concept(child(deathsOf(observation)[0], 'value'), narrative) : undefined,
    },
  ];
}

const deathsOf = (observation: Element): Element[] =>
  children(observation, 'entryRelationship')
    .filter((one) => attribute(one, 'typeCode') === 'CAUS')
    .flatMap((one) => child(one, 'observation') ?? []);
