import type { PatientSession } from '../../../contract/audience.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';

/**
 * Throws `person_changed` unless the session is still that of the person whom the page showed: another tab may have
 * signed in somebody else.
 */
export function requireConfirmedPerson({ person }: PatientSession, confirmedAs: string | undefined): void {
  if (confirmedAs === undefined || confirmedAs.toLowerCase() === person.email.toLowerCase()) return;
  throw new Refusal(409, 'person_changed', {
    detail: 'Somebody else is signed in now than when the page was loaded.',
  });
}
