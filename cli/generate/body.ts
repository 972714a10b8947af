import { analyteOf, type AnalyteName } from './analytes.ts';
import { monthsBetween } from './calendar.ts';
import { ageOf, type Life } from './life.ts';
import { randomFor } from './random.ts';
import type { Course } from './storyline.ts';
import { randomAt, type Visit } from './visit.ts';

/**
 * What is measured at this visit, rounded as it is reported; the same at every call. Everything that is
 * computed from other values is computed from the rounded ones, as the reader will do to check it.
 */
export function measured(life: Life, visit: Visit, name: AnalyteName): number {
  const value = (of: AnalyteName) => measured(life, visit, of);
  switch (name) {
    case 'bmi':
      return rounded(name, value('weight') / (value('height') / 100) ** 2);
    case 'cholesterol':
      // Friedewald's equation, as LDL is reported "by calculation".
      return rounded(name, value('ldl') + value('hdl') + value('triglycerides') / 5);
    case 'hematocrit':
      // A mean red cell volume of 90 fL.
      return rounded(name, value('redCells') * 9);
    case 'egfr':
      return rounded(name, mdrd(value('creatinine'), life, visit.day));
    default:
      return drawn(life, visit, name);
  }
}

function drawn(life: Life, visit: Visit, name: AnalyteName): number {
  const analyte = analyteOf(name);
  const person = randomFor(life.plan.seed, `body/${name}`).deviation(analyte.person);
  const noise = randomAt(life, visit, `body/${name}`).deviation(analyte.noise);
  const sex = life.female ? (analyte.lowerInWomen ?? 0) : 0;
  const illness = life.storylines
    .map(({ story, starts }) => deviationAt(story.courses[name] ?? [], monthsBetween(starts, visit.day)))
    .reduce((sum, deviation) => sum + deviation, visit.episode?.shifts[name] ?? 0);
  const value = analyte.usual - sex + person + noise + illness;
  return rounded(name, Math.min(analyte.most ?? Infinity, Math.max(analyte.least, value)));
}

export function deviationAt(course: Course, month: number): number {
  const after = course.findIndex(([at]) => at > month);
  const previous = after === -1 ? course.at(-1) : course[after - 1];
  const next = course[after];
  if (previous === undefined) return 0;
  if (next === undefined) return previous[1];
  return previous[1] + ((next[1] - previous[1]) * (month - previous[0])) / (next[0] - previous[0]);
}

/** The four-variable MDRD study equation for standardized creatinine, which LOINC 33914-3 names. */
function mdrd(creatinine: number, life: Life, day: number): number {
  return 175 * creatinine ** -1.154 * ageOf(life, day) ** -0.203 * (life.female ? 0.742 : 1);
}

function rounded(name: AnalyteName, value: number): number {
  return Number(value.toFixed(analyteOf(name).places));
}
