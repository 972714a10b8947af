import type { ConsentDuration } from '../../contract/interaction.ts';
import { invalidInput } from '../kernel/refusal.ts';
import { latestEnd } from './write-decision.ts';

const DAY_MS = 24 * 3600 * 1000;

const DAYS = { once: 1, '30-days': 30, '90-days': 90, '1-year': 365 } as const;

/** When a consent ends that is given now. A last day counts until its midnight, UTC, and never beyond a year from now. */
export function endOfConsent(duration: ConsentDuration, now: Date): Date {
  if (typeof duration === 'string') return new Date(now.getTime() + DAYS[duration] * DAY_MS);
  const begins = Date.parse(`${duration.until}T00:00:00Z`);
  const ends = begins + DAY_MS;
  const latest = latestEnd(now).getTime();
  if (ends <= now.getTime()) throw invalidInput([{ path: 'duration.until', message: 'must not be past' }]);
  if (begins > latest)
    throw invalidInput([{ path: 'duration.until', message: 'must be at most one year ahead' }]);
  return new Date(Math.min(ends, latest));
}
