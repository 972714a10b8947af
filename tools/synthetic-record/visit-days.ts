import { toWorkday, getYear } from './calendar.ts';
import { createRandom } from './random.ts';
import type { RecordPlan } from './record-plan.ts';

export interface VisitSpan {
  plan: RecordPlan;
  visitsPerYear: number;
  firstDay: number;
  lastDay: number;
}

export type VisitKind = 'wellness' | 'follow-up' | 'telehealth' | 'acute';

export function countVisits(span: VisitSpan): number {
  return Math.max(1, Math.round(span.plan.years * span.visitsPerYear));
}

/**
 * Computed for each visit alone, so that no list of thousands is ever held. The middle of each visit's slot is
 * used only, which keeps two visits apart even when weekends move them.
 */
export function computeVisitDay(span: VisitSpan, index: number): number {
  const count = countVisits(span);
  const random = createRandom(span.plan.seed, `visit-day/${index}`);
  const candidate =
    span.firstDay + ((index + random.between(0.3, 0.7)) * (span.lastDay - span.firstDay)) / count;
  const day = toWorkday(Math.floor(candidate));
  if (index < count - 1) return day;
  // Whoever looks back from the record's end must find something recent.
  return Math.min(span.lastDay, Math.max(day, toWorkday(span.lastDay - random.integer(4, 20))));
}

export function chooseVisitKind(span: VisitSpan, index: number): VisitKind {
  const day = computeVisitDay(span, index);
  const isLast = index === countVisits(span) - 1;
  if (index === 0 || getYear(computeVisitDay(span, index - 1)) < getYear(day)) return 'wellness';
  if (isLast) return 'follow-up';
  const random = createRandom(span.plan.seed, `visit-kind/${index}`);
  if (random.chance(0.2)) return 'acute';
  return getYear(day) >= 2020 && random.chance(0.1) ? 'telehealth' : 'follow-up';
}

/** The day of the first visit from `index` on at which a chronic illness can be found and examined. */
export function findRoutineVisitDay(span: VisitSpan, index: number): number {
  const last = countVisits(span) - 1;
  for (let at = Math.min(index, last); at < last; at++) {
    const kind = chooseVisitKind(span, at);
    if (kind === 'wellness' || kind === 'follow-up') return computeVisitDay(span, at);
  }
  return computeVisitDay(span, last);
}
