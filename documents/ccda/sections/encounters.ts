import type { Element } from 'slimdom';
import { getEntryText, toCodeableConcept, toConceptOrAbsent } from '../concepts.ts';
import {
  selectAll,
  getAttribute,
  getChild,
  getChildren,
  selectFirst,
  isNegated,
  getNullFlavor,
  getSdtcChild,
  getText,
} from '../elements.ts';
import { toEncounterClass } from '../encounter-class.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import { toIdentifiers, getIdKeys } from '../identifiers.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import { toIndividual } from '../people.ts';
import type { SkipReason } from '../resource-list.ts';
import type { Context, CdaEntry, SectionKind } from '../section.ts';
import { buildDateTime, toPeriod, toTime } from '../times.ts';
import { getActStatus } from './clinical-status.ts';
import { conceptFromValue } from './entry-relationships.ts';
import { buildCondition } from './problems.ts';
import { addFallbackText } from './named-concepts.ts';
import { findCell } from './narrative-table.ts';

/** Encounter Diagnosis, Hospital Discharge Diagnosis, Hospital Admission Diagnosis. */
const DIAGNOSES = new Set([
  '2.16.840.1.113883.10.20.22.4.80',
  '2.16.840.1.113883.10.20.22.4.33',
  '2.16.840.1.113883.10.20.22.4.34',
]);

/** Converts Encounter Activities: past visits and, by their mood, planned ones. */
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

function convertEncounter({ statement, position }: CdaEntry, context: Context): SkipReason | null {
  if (getNullFlavor(statement) !== undefined) return 'null_flavored';
  if (statement.localName !== 'encounter') return 'no_form';
  if (isEmpty(statement, context)) return 'no_content';
  const { resources, visit } = context;
  // What a label covers says nothing more of a visit that the header describes without one, which all of the document belongs to.
  const isLabeled = context.getSecurityLabels(position).length > context.getSecurityLabels('').length;
  const isVisit =
    visit !== undefined &&
    visit.sectionEntry === undefined &&
    !isLabeled &&
    getIdKeys(statement).some((key) => visit.keys.includes(key));
  const reference = isVisit ? visit.reference : resources.reserve('Encounter', position);
  const content = buildEncounter(statement, { position, reference }, context);
  if (isVisit) visit.sectionEntry = { content, position };
  else resources.put(reference, position, content);
  return null;
}

function isEmpty(encounter: Element, { narrative }: Context): boolean {
  return (
    toCodeableConcept(getChild(encounter, 'code'), narrative) === undefined &&
    toTime(getChild(encounter, 'effectiveTime')) === undefined
  );
}

interface ReservedEncounter {
  position: string;
  reference: { reference: string };
}

function buildEncounter(encounter: Element, reserved: ReservedEncounter, context: Context): FhirObject {
  const { patient, people, narrative } = context;
  const code = getChild(encounter, 'code');
  const name = findCell(code, /^(encounter|type|description|visit)/i, narrative);
  const type = addFallbackText(toCodeableConcept(code, narrative), name);
  const discharge = toCodeableConcept(getSdtcChild(encounter, 'dischargeDispositionCode'), narrative);
  return {
    identifier: toIdentifiers(encounter),
    status: toStatus(encounter),
    class: toEncounterClass(code, type),
    type: [type ?? toConceptOrAbsent(code, narrative)],
    subject: patient,
    participant: people.findPerformers(encounter).flatMap(({ who, when }) => {
      const individual = toIndividual(who);
      return individual === undefined ? [] : { individual, period: when && buildDateTime('start', when) };
    }),
    period: toPeriod(getChild(encounter, 'effectiveTime')),
    reasonCode: selectAll(encounter, 'entryRelationship/observation').flatMap(
      (reason) => readReason(reason, narrative) ?? [],
    ),
    diagnosis: addDiagnoses(encounter, reserved, context),
    hospitalization: discharge && { dischargeDisposition: discharge },
    location: buildLocations(encounter, context),
  };
}

/** An indication without a coded value may say it in the narrative alone. */
function readReason(reason: Element, narrative: NarrativeIndex): CodeableConcept | undefined {
  const coded = conceptFromValue(getChild(reason, 'value'), narrative);
  if (coded !== undefined || getAttribute(reason.parentElement ?? undefined, 'typeCode') !== 'RSON')
    return coded;
  const text = getEntryText(reason, narrative);
  return text === undefined ? undefined : { text };
}

function toStatus(encounter: Element): string {
  const status = getActStatus(encounter);
  if (status === 'nullified') return 'entered-in-error';
  if (isNegated(encounter) || status === 'cancelled' || status === 'aborted') return 'cancelled';
  if (getAttribute(encounter, 'moodCode') !== 'EVN') return 'planned';
  return status === 'active' ? 'in-progress' : 'finished';
}

/** Adds a Condition for each diagnosis of the visit, with the visit as its encounter. */
function addDiagnoses(
  encounter: Element,
  { position, reference }: ReservedEncounter,
  context: Context,
): FhirObject[] {
  return selectAll(encounter, 'entryRelationship/act')
    .filter((act) => isDiagnosis(act))
    .flatMap((act) => selectAll(act, 'entryRelationship/observation'))
    .flatMap((observation) => {
      const content = buildCondition(
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

/** R1.1 and R2.1 mark a diagnosis by template; senders without the template by LOINC "Diagnosis". */
const isDiagnosis = (act: Element): boolean =>
  getChildren(act, 'templateId').some((template) => DIAGNOSES.has(getAttribute(template, 'root') ?? '')) ||
  getAttribute(getChild(act, 'code'), 'code') === '29308-4';

function buildLocations(encounter: Element, { people }: Context): FhirObject[] {
  return getChildren(encounter, 'participant')
    .filter((participant) => getAttribute(participant, 'typeCode') === 'LOC')
    .flatMap((participant) => {
      const role = getChild(participant, 'participantRole');
      const location = people.resolveLocation(role, getText(selectFirst(role, 'playingEntity/name')));
      return location === undefined ? [] : [{ location }];
    });
}
