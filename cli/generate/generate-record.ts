import { newChart, type Part } from './chart.ts';
import { lifeOf } from './life.ts';
import { backgroundAt } from './parts/background.ts';
import { carePlanLeft } from './parts/care-plan.ts';
import { conditionsAt, conditionsLeft } from './parts/conditions.ts';
import { encounterAt } from './parts/encounter.ts';
import { immunizationsAt } from './parts/immunizations.ts';
import { labsAt } from './parts/labs.ts';
import { medicationsAt, medicationsLeft } from './parts/medications.ts';
import { noteAt } from './parts/note.ts';
import { peopleOf } from './parts/people.ts';
import { proceduresAt } from './parts/procedures.ts';
import { vitalsAt } from './parts/vitals.ts';
import { checkPlan, type RecordPlan } from './record-plan.ts';
import type { GeneratedResource } from './resource.ts';
import { visitsOf } from './visit.ts';

const parts: readonly Part[] = [
  encounterAt,
  backgroundAt,
  vitalsAt,
  conditionsAt,
  medicationsAt,
  labsAt,
  proceduresAt,
  immunizationsAt,
  noteAt,
];

/**
 * A synthetic FHIR R4 record in the order of its visits, one resource after the other, always the same for
 * the same plan. References are `urn:uuid:<id>`; a resource may come after one that points at it. Decimals
 * carry their trailing zeros into the JSON text only (see decimal.ts). Throws a RangeError on the first
 * `next()` when the plan makes no believable record.
 */
export function* generateRecord(plan: RecordPlan): Generator<GeneratedResource, void, undefined> {
  checkPlan(plan);
  const life = lifeOf(plan);
  const chart = newChart(life);
  yield* peopleOf(life);
  let lastVisit;
  for (const visit of visitsOf(life)) {
    for (const part of parts) yield* part(chart, visit);
    lastVisit = visit;
  }
  yield* conditionsLeft(chart);
  yield* medicationsLeft(chart);
  if (lastVisit) yield* carePlanLeft(chart, lastVisit);
}
