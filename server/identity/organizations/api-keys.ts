import {
  DEFAULT_KEY_DAYS,
  KEY_ADDRESS_DAYS,
  MAX_API_KEYS,
  type ApiKey,
  type NewApiKey,
} from '../../../contract/organization/api-keys.ts';
import type { ApiKeyId, OrganizationId } from '../../../contract/brands.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import { mayEndKey, mayIssueKey, type Role } from '../../../contract/roles.ts';
import type { Audit, AuditEntry } from '../../platform/audit/append.ts';
import { one, type Db, type Queryable, type Tx } from '../../platform/db/db.ts';
import { selectLatestNow } from '../../platform/db/store-clock.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { forbidden, invalidInput, notFound, Refusal } from '../../platform/kernel/refusal.ts';
import { generateSecret, hashSecret } from '../../platform/kernel/secret.ts';
import * as statements from './api-keys.sql.ts';
import { lockOrganization } from './organizations.sql.ts';
import { requireOwnProjects } from './projects.ts';

export interface ApiKeyDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
}

/** Who manages the keys of which organization. */
export interface KeyManager {
  organizationId: OrganizationId;
  actor: AuditEntry['actor'];
  role: Role;
}

interface KeyCommand extends KeyManager {
  apiKeyId: ApiKeyId;
}

const DAY_MS = 24 * 3_600_000;

/** Creates a key; the secret is returned only here. */
export function createApiKey(
  { db, clock, audit }: ApiKeyDeps,
  { organizationId, actor, ...manager }: KeyManager,
  { name, role, projectIds, expiresAt }: NewApiKey,
): Promise<ApiKey & { apiSecret: string }> {
  requireIssuable(manager.role, role);
  return db.tx(async (tx) => {
    await tx.query(lockOrganization(organizationId));
    const now = await getNow(tx, clock);
    const end =
      expiresAt === undefined ? new Date(now.getTime() + DEFAULT_KEY_DAYS * DAY_MS) : toDate(expiresAt);
    if (end !== null && end <= now)
      throw invalidInput([{ path: 'expiresAt', message: 'must lie in the future' }]);
    if (projectIds) await requireOwnProjects(tx, organizationId, { projectIds, path: 'projectIds' });
    if ((await one(tx, statements.countKeysInForce(organizationId, now))).total >= MAX_API_KEYS)
      throw new Refusal(409, 'too_many_api_keys', {
        detail: `There are ${MAX_API_KEYS} API keys; revoke those that are not used.`,
      });
    const row = { organizationId, name, role, projectIds, createdBy: actor, now, expiresAt: end };
    const { apiKeyId, apiSecret } = await insertApiKey(tx, row);
    await audit.write(tx, {
      organizationId,
      action: 'api_key.created',
      actor,
      detail: { apiKeyId, role, projectIds, expiresAt: end?.toISOString() ?? null },
    });
    return { ...(await requireApiKey(tx, { organizationId, apiKeyId }, now)), apiSecret };
  });
}

/** Whoever gets the secret of a key may do what the key may. */
function requireIssuable(role: Role, keyRole: ApiKey['role']): void {
  if (!mayIssueKey(role, keyRole))
    throw forbidden(
      `A key of the role ${keyRole} may do what the role ${role} may not: ask an owner or an admin for it, or create one of the role developer.`,
      'admin_required',
    );
}

function requireEndable(role: Role, keyRole: ApiKey['role']): void {
  if (!mayEndKey(role, keyRole))
    throw forbidden('Only an owner or an admin ends admin keys.', 'admin_required');
}

const toDate = (time: string | null): Date | null => (time === null ? null : new Date(time));

interface InsertedKey {
  organizationId: OrganizationId;
  name: string;
  role: ApiKey['role'];
  projectIds: NewApiKey['projectIds'];
  /** null: the organization is created with it. */
  createdBy: AuditEntry['actor'] | null;
  now: Date;
  /** null: it does not expire. */
  expiresAt: Date | null;
}

/** Inserts a key with its first secret; returns what names it and what a program presents. */
export async function insertApiKey(
  tx: Tx,
  key: InsertedKey,
): Promise<{ apiKeyId: ApiKeyId; apiKey: string; apiSecret: string }> {
  const apiKeyId = generateId<ApiKeyId>();
  const apiKey = generateSecret('cgk_').slice(0, 26);
  await tx.query(
    statements.insertApiKey({
      api_key_id: apiKeyId,
      api_key: apiKey,
      organization_id: key.organizationId,
      name: key.name,
      role: key.role,
      project_ids: key.projectIds,
      created_by_kind: key.createdBy?.kind ?? null,
      created_by: key.createdBy?.id ?? null,
      created_at: key.now,
      expires_at: key.expiresAt,
    }),
  );
  return { apiKeyId, apiKey, apiSecret: await insertSecret(tx, apiKey, key.now) };
}

async function insertSecret(tx: Tx, apiKey: string, now: Date): Promise<string> {
  const apiSecret = generateSecret('cgs_');
  const secret = { credential_id: generateId<never>(), secret_hash: hashSecret(apiSecret), created_at: now };
  await tx.query(statements.insertSecret({ api_key: apiKey, ...secret }));
  return apiSecret;
}

/** Returns the later of the node's and the store's time, after the lock that the transaction took. */
const getNow = async (tx: Tx, clock: Clock): Promise<Date> =>
  (await one(tx, selectLatestNow(clock.now()))).now;

/**
 * Locks the organization and finds a key to change, as it is under the lock: whether it is the only admin key too. Throws where
 * it does not exist.
 */
async function lockKey(
  tx: Tx,
  clock: Clock,
  { organizationId, apiKeyId }: KeyCommand,
): Promise<{ key: ApiKey; now: Date }> {
  await tx.query(lockOrganization(organizationId));
  const now = await getNow(tx, clock);
  const key = await requireApiKey(tx, { organizationId, apiKeyId }, now);
  return { key, now };
}

/**
 * Creates a new secret. Of the one before, the secret and its tokens end together: `graceSeconds` from now, or at once. A
 * secret that an earlier rotation lets end sooner keeps its end.
 */
export function rotateApiKey(
  { db, clock, audit }: ApiKeyDeps,
  command: KeyCommand,
  { graceSeconds }: { graceSeconds: number },
): Promise<{ apiSecret: string; previousExpiresAt: string; apiKey: ApiKey }> {
  const { organizationId, actor, apiKeyId } = command;
  return db.tx(async (tx) => {
    const { key, now } = await lockKey(tx, clock, command);
    requireIssuable(command.role, key.role);
    if (key.state !== 'active')
      throw new Refusal(409, 'api_key_ended', { detail: `The API key is ${key.state}; create another.` });
    if (graceSeconds > 0 && key.secrets.length > 1)
      throw new Refusal(409, 'too_many_secrets', {
        detail: 'Two secrets are accepted now; rotate with graceSeconds 0, or wait until the older one ends.',
      });
    const previousExpiresAt = new Date(now.getTime() + graceSeconds * 1000);
    await tx.query(statements.expireSecrets(key.apiKey, previousExpiresAt));
    const apiSecret = await insertSecret(tx, key.apiKey, now);
    await audit.write(tx, {
      organizationId,
      action: 'api_key.rotated',
      actor,
      detail: { apiKeyId, graceSeconds },
    });
    const apiKey = await requireApiKey(tx, { organizationId, apiKeyId }, now);
    return { apiSecret, previousExpiresAt: previousExpiresAt.toISOString(), apiKey };
  });
}

/** Ends the secret from before the last rotation, whose program was changed sooner than the grace lasts. */
export function endFormerKeySecrets({ db, clock, audit }: ApiKeyDeps, command: KeyCommand): Promise<ApiKey> {
  const { organizationId, actor, apiKeyId } = command;
  return db.tx(async (tx) => {
    const { key, now } = await lockKey(tx, clock, command);
    requireEndable(command.role, key.role);
    const ended = await tx.query(statements.expireFormerSecrets(key.apiKey, now));
    if (ended.length === 0) return key;
    await audit.write(tx, { organizationId, action: 'api_key.secret_ended', actor, detail: { apiKeyId } });
    return requireApiKey(tx, { organizationId, apiKeyId }, now);
  });
}

/**
 * Revokes a key: its tokens are refused from the next statement on. Throws `last_admin_key` for the only admin key in force:
 * who means it does it by command line, where `evenLast` says so.
 */
export async function revokeApiKey(
  { db, clock, audit }: ApiKeyDeps,
  command: KeyCommand,
  { evenLast }: { evenLast: boolean },
): Promise<ApiKey> {
  const { organizationId, actor, apiKeyId } = command;
  return db.tx(async (tx) => {
    const { key, now } = await lockKey(tx, clock, command);
    requireEndable(command.role, key.role);
    if (key.state === 'revoked') return key;
    if (key.isLastAdminKey && !evenLast)
      throw new Refusal(409, 'last_admin_key', {
        detail:
          'This is the only admin key: nobody could manage the organization by API any more. Create another first, or end a leaked secret by a rotation with graceSeconds 0.',
      });
    await tx.query(statements.updateRevoked(apiKeyId, now));
    await audit.write(tx, { organizationId, action: 'api_key.revoked', actor, detail: { apiKeyId } });
    return requireApiKey(tx, { organizationId, apiKeyId }, now);
  });
}

export async function listApiKeys(
  db: Queryable,
  organizationId: OrganizationId,
  page: PageQuery & { now: Date },
): Promise<{ total: number; results: ApiKey[] }> {
  const { total } = await one(db, statements.countApiKeys(organizationId));
  return {
    total,
    results: await addSecrets(db, await db.query(statements.findApiKeys(organizationId, page)), page.now),
  };
}

/** Returns a key; throws 404 also for one of another organization, so that ids cannot be probed. */
async function requireApiKey(
  on: Queryable,
  { organizationId, apiKeyId }: { organizationId: OrganizationId; apiKeyId: ApiKeyId },
  now: Date,
): Promise<ApiKey> {
  const rows = await on.query(statements.findApiKey(organizationId, apiKeyId, now));
  const [key] = await addSecrets(on, rows, now);
  if (!key) throw notFound('The API key');
  return key;
}

/** From when on addresses are counted. */
export const getAddressesSince = (now: Date): Date =>
  new Date(now.getTime() - KEY_ADDRESS_DAYS * 24 * 3_600_000);

async function addSecrets(
  on: Queryable,
  rows: readonly statements.ApiKeyRow[],
  now: Date,
): Promise<ApiKey[]> {
  const secrets = await on.query(
    statements.findLiveSecrets(
      rows.map((row) => row.api_key),
      { now, usedSince: getAddressesSince(now) },
    ),
  );
  return rows.map((row) =>
    toApiKeyDto(
      row,
      secrets.filter((secret) => secret.api_key === row.api_key),
    ),
  );
}

const toApiKeyDto = (row: statements.ApiKeyRow, secrets: readonly statements.SecretRow[]): ApiKey => ({
  id: row.api_key_id,
  organizationId: row.organization_id,
  apiKey: row.api_key,
  name: row.name,
  role: row.role,
  projectIds: row.project_ids,
  state: row.revoked_at ? 'revoked' : row.is_expired ? 'expired' : 'active',
  createdAt: row.created_at.toISOString(),
  createdBy:
    row.created_by_kind === null || row.created_by === null
      ? null
      : { kind: row.created_by_kind, id: row.created_by },
  expiresAt: row.expires_at?.toISOString() ?? null,
  revokedAt: row.revoked_at?.toISOString() ?? null,
  isLastAdminKey: row.is_last_admin_key,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  secrets: secrets.map((secret) => ({
    createdAt: secret.created_at.toISOString(),
    expiresAt: secret.expires_at?.toISOString() ?? null,
    lastUsedAt: secret.last_used_at?.toISOString() ?? null,
    addresses: secret.addresses,
  })),
});
