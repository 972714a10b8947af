import { createChart, type ResourceGenerator } from './chart.ts';
import { createProfile } from './patient-profile.ts';
import { generateBackground } from './resources/background.ts';
import { generateCarePlan } from './resources/care-plan.ts';
import { generateConditions, flushOpenConditions } from './resources/conditions.ts';
import { generateEncounter } from './resources/encounter.ts';
import { generateImmunizations } from './resources/immunizations.ts';
import { generateLabs } from './resources/labs.ts';
import { generateMedications, flushOpenMedications } from './resources/medications.ts';
import { generateNote } from './resources/note.ts';
import { generatePeople } from './resources/people.ts';
import { generateProcedures } from './resources/procedures.ts';
import { generateVitals } from './resources/vitals.ts';
import { validatePlan, type RecordPlan } from './record-plan.ts';
import type { GeneratedResource } from './resource.ts';
import { generateVisits } from './visit.ts';

const generators: readonly ResourceGenerator[] = [
  generateEncounter,
  generateBackground,
  generateVitals,
  generateConditions,
  generateMedications,
  generateLabs,
  generateProcedures,
  generateImmunizations,
  generateNote,
];

/**
 * A synthetic FHIR R4 record in the order of its visits, one resource after the other, always the same for
 * the same plan. References are `urn:uuid:<id>`; a resource may come after one that points at it. Decimals
 * carry their trailing zeros into the JSON text only (see decimal.ts). Throws a RangeError on the first
 * `next()` when the plan makes no believable record.
 */
export function* generateRecord(plan: RecordPlan): Generator<GeneratedResource, void, undefined> {
  validatePlan(plan);
  const profile = createProfile(plan);
  const chart = createChart(profile);
  yield* generatePeople(profile);
  let lastVisit;
  for (const visit of generateVisits(profile)) {
    for (const generate of generators) yield* generate(chart, visit);
    lastVisit = visit;
  }
  yield* flushOpenConditions(chart);
  yield* flushOpenMedications(chart);
  if (lastVisit) yield* generateCarePlan(chart, lastVisit);
}
