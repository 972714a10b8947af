import { createConcept, loinc, rxnorm, snomed, createHl7Concept } from '../codes.ts';
import { formatDay } from '../calendar.ts';
import { markDoneIfDue, getPatientReference, type Chart } from '../chart.ts';
import type { GeneratedResource } from '../resource.ts';
import { toReference } from '../resource-id.ts';
import { isRoutine, formatVisitTime, type Visit } from '../visit.ts';
import { getPractitionerReference } from './people.ts';

/** What a first visit asks about, and the smoking status that is asked again every year. */
export function* generateBackground(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  if (visit.index === 0) {
    yield* generateAllergies(chart, visit);
    yield buildFamilyHistory(chart, visit);
  }
  if (isRoutine(visit) && markDoneIfDue(chart, visit, { name: 'smoking', days: 360 }))
    yield buildSmokingStatus(chart, visit);
}

function* generateAllergies(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  const { profile } = chart;
  const common = {
    resourceType: 'AllergyIntolerance',
    clinicalStatus: createHl7Concept('allergyintolerance-clinical', 'active', 'Active'),
    verificationStatus: createHl7Concept('allergyintolerance-verification', 'confirmed', 'Confirmed'),
    patient: getPatientReference(chart),
    recordedDate: formatVisitTime(visit, 5),
    recorder: getPractitionerReference(profile, 'nurse'),
  };
  if (!profile.allergicToPenicillin) {
    // A coded absence, which a reader must not count as an allergy.
    const code = createConcept(
      snomed('409137002', 'No known drug allergy (situation)'),
      'No known drug allergy',
    );
    yield { ...common, id: profile.toId('AllergyIntolerance/none'), code };
    return;
  }
  yield {
    ...common,
    id: profile.toId('AllergyIntolerance/penicillin'),
    type: 'allergy',
    category: ['medication'],
    criticality: 'high',
    code: createConcept(
      [snomed('91936005', 'Allergy to penicillin'), rxnorm('7980', 'penicillin G')],
      'Penicillin',
    ),
    onsetDateTime: String(Number(formatDay(profile.birth).slice(0, 4)) + 9),
    reaction: [{ manifestation: [createConcept(snomed('247472004', 'Hives'))], severity: 'moderate' }],
  };
}

function buildFamilyHistory(chart: Chart, visit: Visit): GeneratedResource {
  const leading = chart.profile.storylines[0]?.story.conditions.at(-1);
  return {
    resourceType: 'FamilyMemberHistory',
    id: chart.profile.toId('FamilyMemberHistory/father'),
    status: 'completed',
    patient: getPatientReference(chart),
    date: formatVisitTime(visit, 6),
    relationship: createHl7Concept('v3-RoleCode', 'FTH', 'father'),
    ...(leading && {
      condition: [{ code: createConcept(leading.codes, leading.text), onsetString: 'in his fifties' }],
    }),
  };
}

function buildSmokingStatus(chart: Chart, visit: Visit): GeneratedResource {
  const { profile } = chart;
  const value =
    profile.smoking === 'never'
      ? createConcept(snomed('266919005', 'Never smoked tobacco'))
      : createConcept(snomed('8517006', 'Ex-smoker'));
  return {
    resourceType: 'Observation',
    id: profile.toId(`Observation/smoking/${visit.index}`),
    status: 'final',
    category: [createHl7Concept('observation-category', 'social-history', 'Social History')],
    code: createConcept(loinc('72166-2', 'Tobacco smoking status'), 'Tobacco smoking status'),
    subject: getPatientReference(chart),
    encounter: toReference(visit.id),
    effectiveDateTime: formatVisitTime(visit, 6),
    valueCodeableConcept: value,
  };
}
