import { toWorkday, yearOf } from './calendar.ts';
import { randomFor } from './random.ts';
import type { RecordPlan } from './record-plan.ts';

export interface VisitSpan {
  plan: RecordPlan;
  visitsPerYear: number;
  begins: number;
  ends: number;
}

export type VisitKind = 'wellness' | 'follow-up' | 'telehealth' | 'acute';

export function visitCount(life: VisitSpan): number {
  return Math.max(1, Math.round(life.plan.years * life.visitsPerYear));
}

/**
 * Computed for each visit alone, so that no list of thousands is ever held. The middle of each visit's slot is
 * used only, which keeps two visits apart even when weekends move them.
 */
export function visitDay(life: VisitSpan, index: number): number {
  const count = visitCount(life);
  const random = randomFor(life.plan.seed, `visit-day/${index}`);
  const drawn = life.begins + ((index + random.between(0.3, 0.7)) * (life.ends - life.begins)) / count;
  const day = toWorkday(Math.floor(drawn));
  if (index < count - 1) return day;
  // Whoever looks back from the record's end must find something recent.
  return Math.min(life.ends, Math.max(day, toWorkday(life.ends - random.whole(4, 20))));
}

export function visitKind(life: VisitSpan, index: number): VisitKind {
  const day = visitDay(life, index);
  const isLast = index === visitCount(life) - 1;
  if (index === 0 || yearOf(visitDay(life, index - 1)) < yearOf(day)) return 'wellness';
  if (isLast) return 'follow-up';
  const random = randomFor(life.plan.seed, `visit-kind/${index}`);
  if (random.chance(0.2)) return 'acute';
  return yearOf(day) >= 2020 && random.chance(0.1) ? 'telehealth' : 'follow-up';
}

/** The day of the first visit from `index` on at which a chronic illness can be found and examined. */
export function routineVisitDay(life: VisitSpan, index: number): number {
  const last = visitCount(life) - 1;
  for (let at = Math.min(index, last); at < last; at++) {
    const kind = visitKind(life, at);
    if (kind === 'wellness' || kind === 'follow-up') return visitDay(life, at);
  }
  return visitDay(life, last);
}
