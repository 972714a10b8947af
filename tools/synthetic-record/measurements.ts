import { getAnalyte, type AnalyteName } from './analytes.ts';
import { countMonths } from './calendar.ts';
import { getAge, type PatientProfile } from './patient-profile.ts';
import { createRandom } from './random.ts';
import type { Course } from './storyline.ts';
import { createVisitRandom, type Visit } from './visit.ts';

/**
 * What is measured at this visit, rounded as it is reported; the same at every call. Everything that is
 * computed from other values is computed from the rounded ones, as the reader will do to check it.
 */
export function measureAnalyte(profile: PatientProfile, visit: Visit, name: AnalyteName): number {
  const measureInput = (of: AnalyteName) => measureAnalyte(profile, visit, of);
  switch (name) {
    case 'bmi':
      return roundValue(name, measureInput('weight') / (measureInput('height') / 100) ** 2);
    case 'cholesterol':
      // Friedewald's equation, as LDL is reported "by calculation".
      return roundValue(name, measureInput('ldl') + measureInput('hdl') + measureInput('triglycerides') / 5);
    case 'hematocrit':
      // A mean red cell volume of 90 fL.
      return roundValue(name, measureInput('redCells') * 9);
    case 'egfr':
      return roundValue(name, estimateGfr(measureInput('creatinine'), profile, visit.day));
    default:
      return drawValue(profile, visit, name);
  }
}

function drawValue(profile: PatientProfile, visit: Visit, name: AnalyteName): number {
  const analyte = getAnalyte(name);
  const person = createRandom(profile.plan.seed, `body/${name}`).deviation(analyte.personSpread);
  const noise = createVisitRandom(profile, visit, `body/${name}`).deviation(analyte.noise);
  const sex = profile.female ? (analyte.lowerInWomen ?? 0) : 0;
  const illness = profile.storylines
    .map(({ story, diagnosedOn }) =>
      interpolateDeviation(story.courses[name] ?? [], countMonths(diagnosedOn, visit.day)),
    )
    .reduce((sum, deviation) => sum + deviation, visit.episode?.shifts[name] ?? 0);
  const value = analyte.baseline - sex + person + noise + illness;
  return roundValue(name, Math.min(analyte.max ?? Infinity, Math.max(analyte.min, value)));
}

export function interpolateDeviation(course: Course, month: number): number {
  const after = course.findIndex(([at]) => at > month);
  const previous = after === -1 ? course.at(-1) : course[after - 1];
  const next = course[after];
  if (previous === undefined) return 0;
  if (next === undefined) return previous[1];
  return previous[1] + ((next[1] - previous[1]) * (month - previous[0])) / (next[0] - previous[0]);
}

/** The four-variable MDRD study equation for standardized creatinine, which LOINC 33914-3 names. */
function estimateGfr(creatinine: number, profile: PatientProfile, day: number): number {
  return 175 * creatinine ** -1.154 * getAge(profile, day) ** -0.203 * (profile.female ? 0.742 : 1);
}

function roundValue(name: AnalyteName, value: number): number {
  return Number(value.toFixed(getAnalyte(name).places));
}
