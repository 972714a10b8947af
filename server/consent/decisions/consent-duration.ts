import type { ConsentDuration } from '../../../contract/oauth/decision-terms.ts';
import { invalidInput } from '../../platform/kernel/refusal.ts';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

const MAX_CONSENT_DAYS = 365;

const DAYS = { '30-days': 30, '90-days': 90, '1-year': MAX_CONSENT_DAYS } as const;

const addDays = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS);

/** Returns the latest expiry of a consent given now, which is also the expiry of one that names none. */
export const getMaxExpiry = (now: Date): Date => addDays(now, MAX_CONSENT_DAYS);

/**
 * Returns when a consent given now expires. What is given once ends after an hour for everybody, also where records are read in
 * before the app gets its code: the page shows that time to the person, and it is what they sign. A chosen last day ends at the
 * patient's own midnight, which their device sends; no consent lasts longer than a year.
 */
export function resolveConsentExpiry(duration: ConsentDuration, now: Date): Date {
  if (duration === 'once') return new Date(now.getTime() + HOUR_MS);
  if (typeof duration === 'string') return addDays(now, DAYS[duration]);
  const expiresAt = new Date(duration.until);
  if (expiresAt <= now) throw invalidInput([{ path: 'duration.until', message: 'must not be past' }]);
  if (expiresAt > getMaxExpiry(now))
    throw invalidInput([{ path: 'duration.until', message: 'must be at most one year ahead' }]);
  return expiresAt;
}
