import type { Consent, Invitation } from '../api.ts';

/** What the card of a consent, and the ways to change it, are about. */
export interface CardProps {
  consent: Consent;
  /** All of the person: what goes on where this one is stopped. */
  consents: readonly Consent[];
  invitations: readonly Invitation[];
}
