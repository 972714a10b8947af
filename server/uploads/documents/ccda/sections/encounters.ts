import type { Element } from 'slimdom';
import { concept, conceptOrAbsent } from '../concepts.ts';
import {
  all,
  attribute,
  child,
  children,
  first,
  isNegated,
  nullFlavor,
  sdtcChild,
  textOf,
} from '../elements.ts';
import { encounterClass } from '../encounter-class.ts';
import type { FhirObject } from '../fhir-values.ts';
import { identifiers, idKeys } from '../identifiers.ts';
import type { LeftOut } from '../resource-list.ts';
import type { Context, Entry, SectionKind } from '../section.ts';
import { period, time } from '../times.ts';
import { conceptOfValue } from './entry-parts.ts';
import { conditionOf } from './problems.ts';
import { orNamed } from './own-words.ts';
import { cellBeside } from './narrative-row.ts';

const ENCOUNTER_DIAGNOSIS = '2.16.840.1.113883.10.20.22.4.80';

/** Encounter Activities: visits that were, and with the mood of a plan those that are to come. */
export const encounters: SectionKind = {
  name: 'encounters',
  codes: ['46240-8'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.22',
    '2.16.840.1.113883.10.20.22.2.22.1',
    '2.16.840.1.113883.10.20.1.3',
  ],
  convert: convertEncounter,
};

function convertEncounter({ statement, position }: Entry, context: Context): LeftOut | null {
  if (nullFlavor(statement) !== undefined) return 'null_flavored';
  if (statement.localName !== 'encounter') return 'no_form';
  if (isEmpty(statement, context)) return 'no_content';
  const { resources, visit } = context;
  const isVisit =
    visit !== undefined &&
    visit.told === undefined &&
    idKeys(statement).some((key) => visit.keys.includes(key));
  const reference = isVisit ? visit.reference : resources.reserve('Encounter', position);
  const content = encounterOf(statement, { position, reference }, context);
  if (isVisit) visit.told = { content, position };
  else resources.put(reference, position, content);
  return null;
}

function isEmpty(encounter: Element, { narrative }: Context): boolean {
  return (
    concept(child(encounter, 'code'), narrative) === undefined &&
    time(child(encounter, 'effectiveTime')) === undefined
  );
}

interface Place {
  position: string;
  reference: { reference: string };
}

function encounterOf(encounter: Element, place: Place, context: Context): FhirObject {
  const { patient, people, narrative } = context;
  const code = child(encounter, 'code');
  const name = cellBeside(code, /^(encounter|type|description|visit)/i, narrative);
  const type = orNamed(concept(code, narrative), name);
  const discharge = concept(sdtcChild(encounter, 'dischargeDispositionCode'), narrative);
  return {
    identifier: identifiers(encounter),
    status: statusOf(encounter),
    class: encounterClass(code, type),
    type: [type ?? conceptOrAbsent(code, narrative)],
    subject: patient,
    participant: people
      .performers(encounter)
      .filter(({ who }) => who.reference?.startsWith('Practitioner/'))
      .map(({ who, when }) => ({ individual: who, period: when && { start: when.value } })),
    period: period(child(encounter, 'effectiveTime')),
    reasonCode: all(encounter, 'entryRelationship/observation').flatMap(
      (reason) => conceptOfValue(child(reason, 'value'), narrative) ?? [],
    ),
    diagnosis: diagnosesOf(encounter, place, context),
    hospitalization: discharge && { dischargeDisposition: discharge },
    location: placesOf(encounter, context),
  };
}

function statusOf(encounter: Element): string {
  if (isNegated(encounter)) return 'cancelled';
  const status = attribute(child(encounter, 'statusCode'), 'code');
  if (status === 'cancelled' || status === 'aborted') return 'cancelled';
  if (status === 'nullified') return 'entered-in-error';
  if (attribute(encounter, 'moodCode') !== 'EVN') return 'planned';
  return status === 'active' ? 'in-progress' : 'finished';
}

/** Encounter Diagnosis acts: a Condition for each, of which the visit is the encounter. */
function diagnosesOf(encounter: Element, { position, reference }: Place, context: Context): FhirObject[] {
  return all(encounter, 'entryRelationship/act')
    .filter((act) => isDiagnosis(act))
    .flatMap((act) => all(act, 'entryRelationship/observation'))
    .flatMap((observation) => {
      const content = conditionOf(
        observation,
        { concern: undefined, category: 'encounter-diagnosis' },
        context,
      );
      if (content === undefined) return [];
      return [
        { condition: context.resources.add('Condition', position, { ...content, encounter: reference }) },
      ];
    });
}

/** R1.1 and R2.1 say it by template; those who left the template out by LOINC "Diagnosis". */
const isDiagnosis = (act: Element): boolean =>
  children(act, 'templateId').some((template) => attribute(template, 'root') === ENCOUNTER_DIAGNOSIS) ||
  attribute(child(act, 'code'), 'code') === '29308-4';

function placesOf(encounter: Element, { people }: Context): FhirObject[] {
  return children(encounter, 'participant')
    .filter((participant) => attribute(participant, 'typeCode') === 'LOC')
    .flatMap((participant) => {
      const role = child(participant, 'participantRole');
      const location = people.place(role, textOf(first(role, 'playingEntity/name')));
      return location === undefined ? [] : [{ location }];
    });
}
