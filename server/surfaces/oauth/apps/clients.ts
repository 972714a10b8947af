import type { ClientAppId, OrganizationId } from '../../../../contract/brands.ts';
import type { ClientApp, ClientDetail, ClientsQuery } from '../../../../contract/organization/clients.ts';
import {
  countGrantStates,
  countPatients,
  findClientsOfApp,
  findClientsOfApps,
} from '../../../consent/grants/app-grants.sql.ts';
import { selectReadsOfClients } from '../../../platform/audit/reads.sql.ts';
import { maybeOne, one, type Db } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import { findOrganization } from '../../../identity/organizations/organizations.sql.ts';
import { readClientAbout } from '../clients/client-about.ts';
import { findImitatedName } from '../clients/look-alike.ts';
import { findApp, findApps, type AppRow } from './apps.sql.ts';
import { getBlockTarget } from './judge-client.ts';

interface Deps {
  db: Db;
  clock: Clock;
}

export async function listClients(
  { db, clock }: Deps,
  organizationId: OrganizationId,
  query: ClientsQuery,
): Promise<{ results: ClientApp[]; next: ClientAppId | null }> {
  const rows = await db.query(findApps(organizationId, query, clock.now()));
  const page = rows.slice(0, query.limit);
  return {
    results: await toClientApps({ db, clock }, organizationId, page),
    next: rows.length > query.limit ? (page.at(-1)?.app_id ?? null) : null,
  };
}

const DAY_MS = 24 * 3600 * 1000;

/** How often each of these apps read within thirty days, and when it last did; one that never did has no entry. */
async function findReads(
  { db, clock }: Deps,
  organizationId: OrganizationId,
  appIds: readonly ClientAppId[],
): Promise<ReadonlyMap<string, AppReads>> {
  const rows = await db.query(findClientsOfApps(organizationId, appIds));
  const clients = rows.map((row) => ({ key: row.app_id, client: row.client_id }));
  const since = new Date(clock.now().getTime() - 30 * DAY_MS);
  const reads = await db.query(selectReadsOfClients(organizationId, clients, since));
  return new Map(reads.map((row) => [row.key, { reads: row.reads, lastReadAt: row.last_at }]));
}

interface AppReads {
  reads: number;
  lastReadAt: Date | null;
}

/** Shows apps, each with how many patients have it connected, and how much it reads. */
export async function toClientApps(
  { db, clock }: Deps,
  organizationId: OrganizationId,
  rows: readonly AppRow[],
): Promise<ClientApp[]> {
  const appIds = rows.map(({ app_id: appId }) => appId);
  const [counts, reads, organization] = await Promise.all([
    db.query(countPatients(organizationId, appIds, clock.now())),
    findReads({ db, clock }, organizationId, appIds),
    one(db, findOrganization(organizationId)),
  ]);
  const patients = new Map(counts.map((count) => [count.app_id, count.patients]));
  const tenantNames = [organization.display_name ?? organization.name];
  return rows.map((row) =>
    toClientApp(row, {
      tenantNames,
      patients: patients.get(row.app_id) ?? 0,
      use: reads.get(row.app_id) ?? { reads: 0, lastReadAt: null },
    }),
  );
}

const toClientApp = (
  row: AppRow,
  { tenantNames, patients, use }: { tenantNames: readonly string[]; patients: number; use: AppReads },
): ClientApp => ({
  id: row.app_id,
  name: row.client_name,
  documentUrl: row.document_url,
  redirectHost: row.redirect_host,
  looksLike: findImitatedName({
    name: row.client_name,
    host: row.document_url === null ? null : new URL(row.document_url).hostname,
    tenantNames,
  }),
  firstSeenAt: row.first_seen_at.toISOString(),
  patients,
  reads: use.reads,
  lastReadAt: use.lastReadAt?.toISOString() ?? null,
  judgement: row.judgement ?? 'new',
  note: row.note,
  until: row.judged_until?.toISOString() ?? null,
  judgedAt: row.decided_at?.toISOString() ?? null,
  judgedBy:
    row.decided_by_kind === null || row.decided_by === null
      ? null
      : { kind: row.decided_by_kind, id: row.decided_by },
  blocks: getBlockTarget(row),
});

const MAX_REGISTRATIONS = 20;

export async function getClient(
  deps: Deps,
  organizationId: OrganizationId,
  appId: ClientAppId,
): Promise<ClientDetail> {
  const now = deps.clock.now();
  const row = await maybeOne(deps.db, findApp(organizationId, appId, now));
  if (!row) throw notFound('The app');
  const [[app], clients, states] = await Promise.all([
    toClientApps(deps, organizationId, [row]),
    deps.db.query(findClientsOfApp(organizationId, appId, MAX_REGISTRATIONS)),
    deps.db.query(countGrantStates(organizationId, appId, now)),
  ]);
  const count = (state: (typeof states)[number]['state']): number =>
    states.find((each) => each.state === state)?.grants ?? 0;
  return {
    ...(app as ClientApp),
    about: readClientAbout(row.about),
    registrations: {
      total: clients[0]?.total ?? 0,
      newest: clients.map((client) => ({
        clientId: client.client_id,
        patients: client.patients,
        firstConnectedAt: client.first_at.toISOString(),
      })),
    },
    connections: {
      active: count('active'),
      expired: count('expired'),
      endedByClient: count('client'),
      endedByPatient: count('patient'),
      endedForReuse: count('reuse'),
      endedByOrganization: count('organization'),
    },
  };
}
