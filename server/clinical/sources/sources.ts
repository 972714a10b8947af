import type { AuditAction } from '../../platform/audit/actions.ts';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { SourceId } from '../../../contract/brands.ts';
import type * as contract from '../../../contract/organization/sources.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';
import { validateUrl } from '../../platform/outbound/guard.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { SecretSeal } from '../../platform/keys/secret-seal.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { invalidInput, notFound, Refusal } from '../../platform/kernel/refusal.ts';
import { lockOrganization } from '../../identity/organizations/organizations.sql.ts';
import { requireOwnProjects } from '../../identity/organizations/projects.ts';
import { maybeOne, one, type Db, type Tx } from '../../platform/db/db.ts';
import { createClientKeys } from './client-keys.ts';
import { sealKey, toBearerPurpose } from './stored-secrets.ts';
import { SOURCE_LIMITS } from './limits.ts';
import type { SourceKeyRow, SourceRow } from './sources.sql.ts';
import * as statements from './sources.sql.ts';
import { SYNC_ALL_JOB, type SyncAllJob } from './sync-all.ts';
import { deleteTakenOutOfSource } from '../store/taken-out.sql.ts';
import { deleteSyncs } from './syncs.sql.ts';
import { trimEnding } from '../../platform/kernel/trim-ending.ts';

export interface SourceDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  jobs: Jobs;
  /** Servers in private networks may be connected. */
  secrets: SecretSeal;
  allowPrivate: boolean;
}

type SourceInput = z.infer<(typeof contract.createSource)['body']>;
type SourceChanges = z.infer<(typeof contract.updateSource)['body']>;

/** Creates a source of the caller's organization, with keys where it signs client assertions. */
export async function createSource(
  deps: SourceDeps,
  caller: OrganizationCaller,
  input: SourceInput,
): Promise<SourceRow> {
  const { organizationId } = caller;
  const baseUrl = trimEnding(input.baseUrl, '/');
  checkAddresses({ baseUrl, tokenEndpoint: getTokenEndpoint(input.authentication) }, deps.allowPrivate);
  const keys = await createRequiredKeys(deps.secrets, input.authentication);
  const now = deps.clock.now();
  const sourceId = generateId<SourceId>();
  const row: SourceRow = {
    organization_id: organizationId,
    source_id: sourceId,
    name: input.name,
    base_url: baseUrl,
    status: 'active',
    ...(await toAuthenticationColumns(deps.secrets, { sourceId, authentication: input.authentication })),
    matching: JSON.stringify(input.matching),
    matching_revision: 1,
    project_ids: input.projectIds,
    serves_test_patients: input.servesTestPatients,
    created_at: now,
    changed_at: now,
  };
  return deps.db.tx(async (tx) => {
    await tx.query(lockOrganization(organizationId));
    const { total } = await one(tx, statements.countSources({ organizationId, projectIds: null }));
    if (total >= SOURCE_LIMITS.sources)
      throw new Refusal(409, 'too_many_sources', {
        detail: `The organization has ${SOURCE_LIMITS.sources} sources already.`,
      });
    await checkName(tx, row);
    await checkScope(tx, row);
    await tx.query(statements.insertSource(row));
    for (const key of keys) await tx.query(statements.insertKey(row.source_id, key, now));
    await writeAudit(tx, deps, {
      caller,
      action: 'source.created',
      row,
      detail: { matching: input.matching.by, servesTestPatients: input.servesTestPatients },
    });
    return row;
  });
}

/** Changes a source; a change to the same leaves no trace. A source that is resumed catches up by itself. */
export async function updateSource(
  deps: SourceDeps,
  { caller, sourceId }: { caller: OrganizationCaller; sourceId: SourceId },
  changes: SourceChanges,
): Promise<SourceRow> {
  const { organizationId } = caller;
  const { authentication: to } = changes;
  checkAddresses({ tokenEndpoint: getTokenEndpoint(to) }, deps.allowPrivate);
  // Before the transaction, since it takes a while; where the source has keys already these are thrown away.
  const keys = await createRequiredKeys(deps.secrets, to);
  return deps.db.tx(async (tx) => {
    await tx.query(lockOrganization(organizationId));
    const before = await maybeOne(tx, statements.lockSource(organizationId, sourceId));
    if (!before) throw notFound('The source');
    const now = deps.clock.now();
    const changed = { ...applyChanges(before, changes), ...(await changeAuthentication(deps, before, to)) };
    if (isDeepStrictEqual(changed, before)) return before;
    const row = { ...changed, changed_at: now };
    if (row.name !== before.name) await checkName(tx, row);
    if (changes.projectIds !== undefined) await checkScope(tx, row);
    await tx.query(statements.updateSource(row));
    if (row.authentication === 'smart_backend_services') await addKeys(tx, { sourceId, keys, now });
    else await tx.query(statements.deleteKeys(sourceId));
    await writeAudit(tx, deps, {
      caller,
      action: 'source.changed',
      row,
      detail: { changed: Object.keys(changes) },
    });
    // A new name alone is no reason to fetch.
    const affectsSync = Object.keys(changes).some((what) => what !== 'name');
    if (row.status === 'active' && affectsSync) await enqueueSyncAll(tx, deps, row);
    return row;
  });
}

/** Deletes a source; what was fetched stays in the patients' records. */
export async function deleteSource(
  deps: SourceDeps,
  caller: OrganizationCaller,
  sourceId: SourceId,
): Promise<void> {
  const { organizationId } = caller;
  await deps.db.tx(async (tx) => {
    const row = await maybeOne(tx, statements.lockSource(organizationId, sourceId));
    if (!row) throw notFound('The source');
    await tx.query(statements.deleteSource(organizationId, sourceId));
    await tx.query(statements.deleteKeys(sourceId));
    await tx.query(deleteSyncs(sourceId));
    await tx.query(deleteTakenOutOfSource(sourceId));
    await writeAudit(tx, deps, { caller, action: 'source.deleted', row, detail: {} });
  });
}

export const enqueueSyncAll = (
  tx: Tx,
  { jobs }: Pick<SourceDeps, 'jobs'>,
  { organization_id: organizationId, source_id: sourceId }: SourceRow,
): Promise<void> =>
  jobs.enqueue<SyncAllJob>(tx, {
    kind: SYNC_ALL_JOB,
    uniqueKey: sourceId,
    payload: { organizationId, sourceId },
  });

function applyChanges(before: SourceRow, changes: SourceChanges): SourceRow {
  const { name, status, matching, projectIds, servesTestPatients } = changes;
  const rematches =
    (matching !== undefined && !isDeepStrictEqual(JSON.parse(before.matching), matching)) ||
    (servesTestPatients !== undefined && servesTestPatients !== before.serves_test_patients);
  return {
    ...before,
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status }),
    ...(matching !== undefined && rematches && { matching: JSON.stringify(matching) }),
    ...(rematches && { matching_revision: before.matching_revision + 1 }),
    ...(servesTestPatients !== undefined && { serves_test_patients: servesTestPatients }),
    ...(projectIds !== undefined && { project_ids: projectIds }),
  };
}

const getTokenEndpoint = (authentication: contract.SourceAuthentication | undefined): string | null =>
  authentication?.type === 'smart_backend_services' ? authentication.tokenEndpoint : null;

async function createRequiredKeys(
  secrets: SecretSeal,
  authentication: contract.SourceAuthentication | undefined,
): Promise<SourceKeyRow[]> {
  if (authentication?.type !== 'smart_backend_services') return [];
  return Promise.all((await createClientKeys()).map((key) => sealKey(secrets, key)));
}

type AuthenticationColumns = Pick<
  SourceRow,
  'authentication' | 'client_id' | 'token_endpoint' | 'scope' | 'bearer_secret'
>;

/** Returns the columns that differ; a secret that is the same stays as it is stored. */
async function changeAuthentication(
  { secrets }: SourceDeps,
  { source_id: sourceId, bearer_secret: stored }: SourceRow,
  authentication: contract.SourceAuthentication | undefined,
): Promise<Partial<AuthenticationColumns>> {
  if (authentication === undefined) return {};
  const columns = await toAuthenticationColumns(secrets, { sourceId, authentication });
  const isSame =
    stored !== null &&
    authentication.type === 'bearer' &&
    secrets.getState(stored) !== 'unknown' &&
    (await secrets.open(toBearerPurpose(sourceId), stored)) === authentication.secret;
  return isSame ? { ...columns, bearer_secret: stored } : columns;
}

async function toAuthenticationColumns(
  secrets: SecretSeal,
  { sourceId, authentication }: { sourceId: SourceId; authentication: contract.SourceAuthentication },
): Promise<AuthenticationColumns> {
  const { type } = authentication;
  const nothing = { client_id: null, token_endpoint: null, scope: null, bearer_secret: null };
  if (type === 'bearer') {
    const sealed = await secrets.seal(toBearerPurpose(sourceId), authentication.secret);
    return { ...nothing, authentication: type, bearer_secret: sealed };
  }
  if (type === 'none') return { ...nothing, authentication: type };
  return {
    ...nothing,
    authentication: type,
    client_id: authentication.clientId,
    token_endpoint: authentication.tokenEndpoint,
    scope: authentication.scope,
  };
}

/** Keeps the keys that are published: servers have them registered. */
async function addKeys(
  tx: Tx,
  { sourceId, keys, now }: { sourceId: SourceId; keys: readonly SourceKeyRow[]; now: Date },
): Promise<void> {
  if ((await tx.query(statements.selectPublicKeys(sourceId))).length > 0) return;
  for (const key of keys) await tx.query(statements.insertKey(sourceId, key, now));
}

/** Refuses private addresses at once; what a name resolves to is checked at each request. */
function checkAddresses(
  addresses: { baseUrl?: string; tokenEndpoint: string | null },
  allowPrivate: boolean,
): void {
  for (const [path, address] of Object.entries(addresses)) {
    if (address !== null && validateUrl(address, allowPrivate) !== null)
      throw invalidInput([{ path, message: 'is not an address on the public internet' }]);
  }
}

/** The consent page lists uploads under this name. */
const RESERVED_NAME = 'uploads';

async function checkName(tx: Tx, { organization_id, source_id, name }: SourceRow): Promise<void> {
  const same = await tx.query(statements.selectSourceByName(organization_id, name));
  if (name.toLowerCase() === RESERVED_NAME || same.some((each) => each.source_id !== source_id))
    throw new Refusal(409, 'name_taken', { detail: 'Another source of the organization has this name.' });
}

async function checkScope(
  tx: Tx,
  { organization_id: organizationId, project_ids: projectIds }: SourceRow,
): Promise<void> {
  if (projectIds !== null) await requireOwnProjects(tx, organizationId, { projectIds, path: 'projectIds' });
}

function writeAudit(
  tx: Tx,
  { audit }: SourceDeps,
  event: { caller: OrganizationCaller; action: AuditAction; row: SourceRow; detail: Record<string, unknown> },
): Promise<void> {
  const { caller, action, row, detail } = event;
  return audit.write(tx, {
    organizationId: row.organization_id,
    action,
    actor: toActor(caller),
    detail: { sourceId: row.source_id, authentication: row.authentication, ...detail },
  });
}
