import type { ConsentStatus } from '../../../contract/account/consent.ts';

interface Decision {
  consent_status: ConsentStatus;
  decided_at: Date;
  expires_at: Date;
}

/**
 * Formats when what a decision permits ends. A no permits nothing from its own time on: the end that is stored with it is the
 * longest there is, and whoever looks at the end alone would take it for a consent.
 */
export const formatEnd = ({ consent_status: status, decided_at: at, expires_at: end }: Decision): string =>
  (status === 'OPTED_IN' ? end : at).toISOString();
