import type { ConsentDuration } from '../../../contract/oauth/interaction.ts';
import { invalidInput } from '../../platform/kernel/refusal.ts';
import { getMaxExpiry } from './write-decision.ts';

const DAY_MS = 24 * 3600 * 1000;

const DAYS = { once: 1, '30-days': 30, '90-days': 90, '1-year': 365 } as const;

/**
 * When a consent ends that is given now. A last day ends at the patient's own midnight, which their device tells; nothing
 * lasts longer than a year.
 */
export function resolveConsentExpiry(duration: ConsentDuration, now: Date): Date {
  if (typeof duration === 'string') return new Date(now.getTime() + DAYS[duration] * DAY_MS);
  const expiresAt = new Date(duration.until);
  if (expiresAt <= now) throw invalidInput([{ path: 'duration.until', message: 'must not be past' }]);
  if (expiresAt > getMaxExpiry(now))
    throw invalidInput([{ path: 'duration.until', message: 'must be at most one year ahead' }]);
  return expiresAt;
}
