import type { PatientId } from '../../../contract/brands.ts';
import type { BrandedOrganization } from '../../../contract/organization/brand.ts';
import { toBrand } from '../organizations/brand.ts';
import { maybeOne, type Queryable } from '../../platform/db/db.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { selectOnlyOrganization } from './enrolled-patients.sql.ts';

/** Returns the one organization that a person takes part with, as they recognize it; null: none, or several. */
export async function findOnlyOrganization(
  on: Queryable,
  patientId: PatientId,
): Promise<BrandedOrganization | null> {
  const row = await maybeOne(on, selectOnlyOrganization(patientId));
  return row && { name: row.name, brand: toBrand(row) };
}

/**
 * Returns in whose name a mail about an account comes: that of the one organization that the person takes part with. Of
 * several none is named, because the mail is not one's alone.
 */
export async function findFromName(on: Queryable, patientId: PatientId): Promise<Pick<Mail, 'fromName'>> {
  const organization = await maybeOne(on, selectOnlyOrganization(patientId));
  return organization ? { fromName: organization.name } : {};
}

/** Returns in whose name a mail comes (`findFromName`), and in which time zone it says when something happened: theirs, else UTC. */
export async function findMailOrigin(
  on: Queryable,
  patientId: PatientId,
): Promise<{ from: Pick<Mail, 'fromName'>; timeZone: string }> {
  const organization = await maybeOne(on, selectOnlyOrganization(patientId));
  return {
    from: organization ? { fromName: organization.name } : {},
    timeZone: organization?.time_zone ?? 'UTC',
  };
}
