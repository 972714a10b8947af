import { insertAuditEntry, type AuditRow } from '../../../platform/audit/audit.sql.ts';
import { sql } from '../../../platform/db/sql.ts';
import { rotateGrant, type Rotation, type UsableGrantRow } from '../../../consent/grants/grants.sql.ts';
import type { AuthorizationRequestId } from '../../../../contract/brands.ts';
import { markCodeUsed } from '../requests/requests.sql.ts';

export interface CodeExchange {
  requestId: AuthorizationRequestId;
  /** From generation 0. */
  rotation: Rotation;
  /** `oauth.code_exchanged`. */
  auditEntry: AuditRow;
}

/**
 * Marks the code used, makes the grant's first generation and writes the audit entry in one statement: all or none. Of any
 * number of attempts at once, one gets `used`; the grant's columns are null unless the grant and its consent are in force.
 */
export const exchangeCode = ({ requestId, rotation, auditEntry }: CodeExchange) => sql<
  { used: boolean } & (UsableGrantRow | { grant_id: null })
>`
  with used as (${markCodeUsed(requestId, rotation.now)}),
  activated as (${rotateGrant(rotation, sql`exists (select from used)`)}),
  logged as (${insertAuditEntry(auditEntry, sql`exists (select from activated)`)} returning entry_id)
  select exists (select from used) as used, activated.*
  from (select 1) always left join activated on true left join logged on true`;
