import assert from 'node:assert/strict';
import { it } from 'node:test';
import { interpolateDeviation, measureAnalyte } from './measurements.ts';
import { createProfile } from './patient-profile.ts';
import type { RecordPlan } from './record-plan.ts';
import { generateVisits } from './visit.ts';

it('follows straight lines between the points of a course and stays flat outside', () => {
  const course = [
    [-10, 1],
    [0, 3],
    [10, 2],
  ] as const;
  const at = [-11, -10, -5, 0, 5, 10, 400].map((month) => interpolateDeviation(course, month));
  assert.deepEqual(at, [0, 1, 2, 3, 2.5, 2, 2]);
  assert.equal(interpolateDeviation([], 3), 0);
});

it('lets hemoglobin A1c fall under treatment', () => {
  const profile = createProfile(diabeticPlan());
  const starts = profile.storylines.find(({ story }) => story.name === 'type-2-diabetes')?.diagnosedOn ?? 0;
  const values = [...generateVisits(profile)]
    .filter((visit) => visit.day >= starts)
    .map((visit) => measureAnalyte(profile, visit, 'hba1c'));
  assert.ok((values[0] ?? 0) > 8, `${values[0]} at the diagnosis`);
  assert.ok((values.at(-1) ?? 99) < 7.5, `${values.at(-1)} at the end`);
});

function diabeticPlan(): RecordPlan {
  for (let seed = 0; ; seed++) {
    const plan = { seed, years: 10, endsOn: '2026-11-20' };
    if (createProfile(plan).storylines.some(({ story }) => story.name === 'type-2-diabetes')) return plan;
  }
}
