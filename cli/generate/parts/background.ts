import { concept, loinc, rxnorm, snomed, terminology } from '../codes.ts';
import { dayText } from '../calendar.ts';
import { isDue, patientOf, type Chart } from '../chart.ts';
import type { GeneratedResource } from '../resource.ts';
import { referenceTo } from '../resource-id.ts';
import { isRoutine, timeAt, type Visit } from '../visit.ts';
import { practitionerOf } from './people.ts';

/** What a first visit asks about, and the smoking status that is asked again every year. */
export function* backgroundAt(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  if (visit.index === 0) {
    yield* allergies(chart, visit);
    yield familyHistory(chart, visit);
  }
  if (isRoutine(visit) && isDue(chart, visit, { name: 'smoking', days: 360 }))
    yield smokingStatus(chart, visit);
}

function* allergies(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  const { life } = chart;
  const common = {
    resourceType: 'AllergyIntolerance',
    clinicalStatus: terminology('allergyintolerance-clinical', 'active', 'Active'),
    verificationStatus: terminology('allergyintolerance-verification', 'confirmed', 'Confirmed'),
    patient: patientOf(chart),
    recordedDate: timeAt(visit, 5),
    recorder: practitionerOf(life, 'nurse'),
  };
  if (!life.allergicToPenicillin) {
    // A coded absence, which a reader must not count as an allergy.
    const code = concept(snomed('409137002', 'No known drug allergy (situation)'), 'No known drug allergy');
    yield { ...common, id: life.id('AllergyIntolerance/none'), code };
    return;
  }
  yield {
    ...common,
    id: life.id('AllergyIntolerance/penicillin'),
    type: 'allergy',
    category: ['medication'],
    criticality: 'high',
    code: concept(
      [snomed('91936005', 'Allergy to penicillin'), rxnorm('7980', 'penicillin G')],
      'Penicillin',
    ),
    onsetDateTime: String(Number(dayText(life.birth).slice(0, 4)) + 9),
    reaction: [{ manifestation: [concept(snomed('247472004', 'Hives'))], severity: 'moderate' }],
  };
}

function familyHistory(chart: Chart, visit: Visit): GeneratedResource {
  const leading = chart.life.storylines[0]?.story.conditions.at(-1);
  return {
    resourceType: 'FamilyMemberHistory',
    id: chart.life.id('FamilyMemberHistory/father'),
    status: 'completed',
    patient: patientOf(chart),
    date: timeAt(visit, 6),
    relationship: terminology('v3-RoleCode', 'FTH', 'father'),
    ...(leading && {
      condition: [{ code: concept(leading.codes, leading.text), onsetString: 'in his fifties' }],
    }),
  };
}

function smokingStatus(chart: Chart, visit: Visit): GeneratedResource {
  const { life } = chart;
  const value =
    life.smoking === 'never'
      ? concept(snomed('266919005', 'Never smoked tobacco'))
      : concept(snomed('8517006', 'Ex-smoker'));
  return {
    resourceType: 'Observation',
    id: life.id(`Observation/smoking/${visit.index}`),
    status: 'final',
    category: [terminology('observation-category', 'social-history', 'Social History')],
    code: concept(loinc('72166-2', 'Tobacco smoking status'), 'Tobacco smoking status'),
    subject: patientOf(chart),
    encounter: referenceTo(visit.id),
    effectiveDateTime: timeAt(visit, 6),
    valueCodeableConcept: value,
  };
}
