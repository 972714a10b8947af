import type { PatientSession } from '../../../contract/audience.ts';
import type { PatientId } from '../../../contract/brands.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';

/** Whom a page showed: by the id of the account, or by the address alone, as pages of the version before do. */
export interface ConfirmedPerson {
  personId?: PatientId | undefined;
  confirmedAs?: string | undefined;
}

/**
 * Whether a session is still that of the person whom the page showed: another tab may have signed in somebody else. Who has
 * changed their address since is the same person.
 */
export const isConfirmedPerson = (
  { patientId, person }: PatientSession,
  { personId, confirmedAs }: ConfirmedPerson,
): boolean =>
  personId === undefined
    ? confirmedAs === undefined || confirmedAs.toLowerCase() === person.email.toLowerCase()
    : personId === patientId;

/** Throws `person_changed` unless the session is that of the person whom the page showed. */
export function requireConfirmedPerson(session: PatientSession, confirmed: ConfirmedPerson): void {
  if (isConfirmedPerson(session, confirmed)) return;
  throw new Refusal(409, 'person_changed', {
    detail: 'Somebody else is signed in now than when the page was loaded.',
  });
}
