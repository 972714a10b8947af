import type { ConsentType } from '../../../contract/account/consent.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';

/** Consents under which an organization may have the record itself. */
export const READ_CONSENT_TYPES: ReadonlySet<ConsentType> = new Set([
  'PATIENT_DIRECTED_DATA_EXCHANGE',
  'DATA_AUTHORIZATION',
]);

const READ_TYPES_SQL = raw([...READ_CONSENT_TYPES].map((type) => `'${type}'`).join(', '));

/** Of a row `c` of `consent`: it permits an organization to read now. */
export const permitsReading = (now: Date): Sql => sql`
  c.consent_type in (${READ_TYPES_SQL}) and c.consent_status = 'OPTED_IN' and c.expires_at > ${now}`;
