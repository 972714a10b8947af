import type { ClientAppId, OrganizationId } from '../../../../contract/brands.ts';
import {
  revokeGrantsOfApps,
  revokeWithdrawnGrantsOfApps,
  type BlockedGrantRow,
} from '../../../consent/grants/app-grants.sql.ts';
import { lockOrganization } from '../../../identity/organizations/organizations.sql.ts';
import type { Audit, AuditEntry } from '../../../platform/audit/append.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import { one } from '../../../platform/db/db.ts';
import { selectLatestNow } from '../../../platform/db/store-clock.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { paginate } from '../../../platform/kernel/paginate.ts';
import { denyRequestsOfGrants } from '../requests/requests.sql.ts';
import { findBlockedWithGrants } from './apps.sql.ts';

interface Ending {
  organizationId: OrganizationId;
  appIds: readonly ClientAppId[];
  /** Who stops the apps. */
  actor: AuditEntry['actor'];
  now: Date;
}

/** Entries of one statement. */
const BATCH = 1000;

/** Ends every connection of these apps, with its tokens and the requests that wait, in the transaction that blocks them. */
export async function endConnections(tx: Tx, audit: Audit, ending: Ending): Promise<void> {
  // Grants before requests: a withdrawal takes its locks in this order too.
  const { organizationId, appIds, now } = ending;
  const revoked = await tx.query(revokeGrantsOfApps(organizationId, appIds, now));
  await tx.query(revokeWithdrawnGrantsOfApps(organizationId, appIds));
  await tx.query(denyRequestsOfGrants(revoked));
  for (const entries of paginate(listRevocations(ending, revoked), BATCH)) await audit.writeAll(tx, entries);
}

/** Each patient reads in their log who stopped the app: an entry for each of its clients that could still read. */
function listRevocations(
  { organizationId, actor }: Ending,
  revoked: readonly BlockedGrantRow[],
): AuditEntry[] {
  const inTime = revoked.filter(({ in_time: isInTime }) => isInTime);
  const groups = Map.groupBy(inTime, (row) => `${row.patient_id} ${row.project_id} ${row.client_id}`);
  return Array.from(groups.values(), (grants) => {
    const [{ patient_id: patientId, project_id: projectId, client_id: client }] = grants as [BlockedGrantRow];
    return {
      organizationId,
      action: 'oauth.grant_revoked',
      actor,
      client,
      projectId,
      patientId,
      detail: { because: 'client_blocked', grants: grants.length },
    };
  });
}

/**
 * Ends what is connected of apps that a block in force catches: it ends all of them in its own transaction, except where two
 * names of a host became one only afterwards.
 */
export async function endBlockedConnections({
  db,
  clock,
  audit,
}: {
  db: Db;
  clock: Clock;
  audit: Audit;
}): Promise<void> {
  const blocked = await db.query(findBlockedWithGrants(clock.now()));
  for (const { organization_id: organizationId } of blocked)
    await db.tx(async (tx) => {
      await tx.query(lockOrganization(organizationId));
      const { now } = await one(tx, selectLatestNow(clock.now()));
      const apps = await tx.query(findBlockedWithGrants(now, organizationId));
      const appIds = apps.flatMap(({ app_ids: ids }) => ids);
      await endConnections(tx, audit, {
        organizationId,
        appIds,
        actor: { kind: 'system', id: 'oauth' },
        now,
      });
    });
}
