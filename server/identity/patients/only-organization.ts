import type { PatientId } from '../../../contract/brands.ts';
import { maybeOne, type Queryable } from '../../platform/db/db.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { selectOnlyOrganization } from './enrolled-patients.sql.ts';

/**
 * Returns in whose name a mail about an account comes: that of the one organization that the person takes part with. Of
 * several none is named, because the mail is not one's alone.
 */
export async function findFromName(on: Queryable, patientId: PatientId): Promise<Pick<Mail, 'fromName'>> {
  const organization = await maybeOne(on, selectOnlyOrganization(patientId));
  return organization ? { fromName: organization.name } : {};
}
