import type { ConsentInForceRow } from './consent.sql.ts';

/** Returns the consent of a decision while it is in force. */
export const findInForce = (previous: ConsentInForceRow | null, now: Date): ConsentInForceRow | null =>
  previous?.consent_status === 'OPTED_IN' && previous.expires_at > now ? previous : null;
