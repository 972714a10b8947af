import type { ConsentTitles, ReadingConsent } from '../../../contract/account/consent.ts';
import type { OrganizationId, PatientId } from '../../../contract/brands.ts';
import type { Queryable } from '../../platform/db/db.ts';
import { selectReadingConsents } from './reading-consents.sql.ts';

/** Finds by which consents an organization reads a person's record now, in any of its projects, the newest first; null is nobody. */
export async function findReadingConsents(
  db: Queryable,
  { patientId, ...query }: { patientId: PatientId | null; organizationId: OrganizationId; now: Date },
): Promise<ReadingConsent[]> {
  if (patientId === null) return [];
  const rows = await db.query(selectReadingConsents({ patientId, ...query }));
  return rows.map((row) => ({
    consentType: row.consent_type,
    project: {
      id: row.project_id,
      name: row.project_name,
      titles: JSON.parse(row.titles) as ConsentTitles,
    },
    expiresAt: row.expires_at.toISOString(),
  }));
}
