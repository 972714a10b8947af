import type { KeyCaller } from '../../../contract/audience.ts';
import type { ApiKeyId, CredentialId, OrganizationId, ProjectId } from '../../../contract/brands.ts';
import type { ApiKeyRole } from '../../../contract/organization/api-keys.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import { asLookUp, raw, sql, type Sql } from '../../platform/db/sql.ts';
import { isAheadOfStore, latestNow, latestNowAfterLock } from '../../platform/db/store-clock.ts';

export interface NewApiKeyRow {
  api_key_id: ApiKeyId;
  api_key: string;
  organization_id: OrganizationId;
  name: string;
  role: ApiKeyRole;
  project_ids: readonly ProjectId[] | null;
  /** The actor of the audit log; null: the organization was created with it. */
  created_by_kind: string | null;
  created_by: string | null;
  created_at: Date;
  expires_at: Date | null;
}

export const insertApiKey = (row: NewApiKeyRow) => sql`
  insert into api_key (api_key_id, api_key, organization_id, name, role, project_ids, created_by_kind, created_by, created_at,
    expires_at)
  values (${row.api_key_id}, ${row.api_key}, ${row.organization_id}, ${row.name}, ${row.role}, ${row.project_ids}::uuid[],
    ${row.created_by_kind}, ${row.created_by}, ${row.created_at}, ${row.expires_at})`;

/** Selects which key a caller names, in force or not. */
export const findKeyByName = (apiKey: string) =>
  sql<{
    api_key_id: ApiKeyId;
    organization_id: OrganizationId;
  }>`select api_key_id, organization_id from api_key where api_key = ${apiKey}`;

export interface NewSecretRow {
  api_key: string;
  credential_id: CredentialId;
  secret_hash: Buffer;
  created_at: Date;
}

export const insertSecret = (row: NewSecretRow) => sql`
  insert into api_key_secret (credential_id, api_key, secret_hash, created_at)
  values (${row.credential_id}, ${row.api_key}, ${row.secret_hash}, ${row.created_at})`;

/** A condition on a row `k` of `api_key`, or another alias: it is neither revoked nor expired. */
const isInForce = (now: Sql, k: Sql = raw('k')): Sql => sql`
  ${k}.revoked_at is null and (${k}.expires_at is null or ${k}.expires_at > ${now})`;

/** A condition on a row `s` of `api_key_secret`: no rotation has ended it. */
const isLive = (now: Sql): Sql => sql`(s.expires_at is null or s.expires_at > ${now})`;

/** A condition: the key of these columns may manage members, and a secret that it had at this time is accepted still. */
export const isManagingKey = (
  { apiKey, organizationId, since }: { apiKey: Sql; organizationId: Sql; since: Sql },
  now: Sql,
): Sql => sql`
  exists (
    select from api_key k join api_key_secret s on s.api_key = k.api_key and s.created_at <= ${since}
    where k.api_key = ${apiKey} and k.organization_id = ${organizationId} and k.role = 'admin' and ${isInForce(now)}
      and ${isLive(now)})`;

/** A condition: the key of a token is in force, and so is the secret that the token was obtained with. */
export const isApiKeyCurrent = (
  { subject, credentialId }: Pick<KeyCaller, 'subject' | 'credentialId'>,
  now: Date,
): Sql => sql`
  exists (
    select from api_key k join api_key_secret s on s.api_key = k.api_key and s.credential_id = ${credentialId}
    where k.api_key = ${subject} and ${isInForce(latestNow(now))} and ${isLive(latestNow(now))})`;

export const selectIsApiKeyCurrent = (
  caller: Pick<KeyCaller, 'subject' | 'credentialId'>,
  { tokenExpiresAt, now }: { tokenExpiresAt: Date; now: Date },
) =>
  asLookUp(sql<{ current: boolean }>`
  select ${isAheadOfStore(tokenExpiresAt)} and ${isApiKeyCurrent(caller, now)} as current`);

/** Selects a key in force once for each of its secrets. */
export const findLogin = (apiKey: string, now: Date) => sql<{
  organization_id: OrganizationId;
  role: ApiKeyRole;
  project_ids: ProjectId[] | null;
  secret_hash: Buffer;
  credential_id: CredentialId;
  /** When key or secret ends; null: neither has an end. */
  ends_at: Date | null;
}>`
  select k.organization_id, k.role, k.project_ids::text[], s.secret_hash, s.credential_id,
    least(k.expires_at, s.expires_at) as ends_at
  from api_key k join api_key_secret s on s.api_key = k.api_key
  where k.api_key = ${apiKey} and ${isInForce(latestNow(now))} and ${isLive(latestNow(now))}`;

/** Notes the hour in which a secret was used, never one before there was it: one write an hour, however many tokens are obtained. */
export const updateLastUse = (credentialId: CredentialId, now: Date) => sql`
  update api_key_secret set last_used_at = greatest(date_trunc('hour', ${now}::timestamptz, 'UTC'), created_at)
  where credential_id = ${credentialId}
    and (last_used_at is null or last_used_at < date_trunc('hour', ${now}::timestamptz, 'UTC'))`;

/**
 * When a row `s` of `api_key_secret` was used last; null: never. The hour that was noted of its first use may have begun before
 * there was the secret.
 */
const USED_AT = raw(`(s.last_used_at + greatest(s.created_at - s.last_used_at, interval '0'))`);

export interface ApiKeyRow extends Omit<NewApiKeyRow, 'project_ids'> {
  project_ids: ProjectId[] | null;
  revoked_at: Date | null;
  is_expired: boolean;
  is_last_admin_key: boolean;
  last_used_at: Date | null;
}

/** A condition on a row `k` of `api_key`: it is the only admin key of its organization that is in force. */
const isLastAdminKey = (now: Sql): Sql => sql`
  k.role = 'admin' and ${isInForce(now)} and not exists (
    select from api_key o where o.organization_id = k.organization_id and o.role = 'admin' and o.api_key_id <> k.api_key_id
      and ${isInForce(now, raw('o'))})`;

const selectApiKeys = (now: Date): Sql => sql`
  select k.api_key_id, k.api_key, k.organization_id, k.name, k.role, k.project_ids::text[], k.created_by_kind, k.created_by,
    k.created_at, k.expires_at, k.revoked_at, coalesce(k.expires_at <= ${latestNow(now)}, false) as is_expired,
    (select max(${USED_AT}) from api_key_secret s where s.api_key = k.api_key) as last_used_at,
    ${isLastAdminKey(latestNow(now))} as is_last_admin_key
  from api_key k`;

export const findApiKey = (organizationId: OrganizationId, apiKeyId: ApiKeyId, now: Date) => sql<ApiKeyRow>`
  ${selectApiKeys(now)} where k.organization_id = ${organizationId} and k.api_key_id = ${apiKeyId}`;

export const findApiKeys = (
  organizationId: OrganizationId,
  { limit, offset, now }: PageQuery & { now: Date },
) => sql<ApiKeyRow>`
  ${selectApiKeys(now)} where k.organization_id = ${organizationId}
  order by k.created_at desc, k.api_key_id limit ${limit} offset ${offset}`;

export const countApiKeys = (organizationId: OrganizationId) => sql<{ total: number }>`
  select count(*) as total from api_key where organization_id = ${organizationId}`;

/** Counts the keys in force, in a transaction that has locked the organization. */
export const countKeysInForce = (organizationId: OrganizationId, now: Date) => sql<{ total: number }>`
  select count(*) as total from api_key k
  where k.organization_id = ${organizationId} and ${isInForce(latestNowAfterLock(now))}`;

export interface SecretRow {
  api_key: string;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  addresses: number;
}

/** Selects the secrets that are accepted, newest first, each with the number of addresses that used it since `usedSince`. */
export const findLiveSecrets = (
  apiKeys: readonly string[],
  { now, usedSince }: { now: Date; usedSince: Date },
) => sql<SecretRow>`
  select s.api_key, s.created_at, s.expires_at, ${USED_AT} as last_used_at,
    (select count(*) from api_key_address a
      where a.credential_id = s.credential_id and a.last_used_at >= ${usedSince}) as addresses
  from api_key_secret s join api_key k on k.api_key = s.api_key
  where s.api_key = any(${apiKeys}::text[]) and ${isInForce(latestNow(now))} and ${isLive(latestNow(now))}
  order by s.api_key, s.expires_at is null desc, s.created_at desc`;

/** Ends every secret of a key, those that end anyway no later. */
export const expireSecrets = (apiKey: string, at: Date) => sql`
  update api_key_secret set expires_at = least(expires_at, ${at}::timestamptz) where api_key = ${apiKey}`;

/** Ends the secrets that a rotation lets end; the newest one has no end of its own. */
export const expireFormerSecrets = (apiKey: string, at: Date) => sql<{ credential_id: CredentialId }>`
  update api_key_secret s set expires_at = ${at}
  where s.api_key = ${apiKey} and s.expires_at > ${at} returning s.credential_id`;

export const updateRevoked = (apiKeyId: ApiKeyId, now: Date) => sql`
  update api_key set revoked_at = ${now} where api_key_id = ${apiKeyId} and revoked_at is null`;

export interface NeglectedKeyRow {
  name: string;
  created_at: Date;
  used_at: Date | null;
  unused: boolean;
  /** When the secret before a rotation ends, where that is soon. */
  secret_ends_at: Date | null;
}

/** Finds the keys in force that nobody has used for long, that are old, or of which a secret ends soon. */
export const findNeglectedKeys = (
  organizationId: OrganizationId,
  times: { now: Date; unusedSince: Date; olderThan: Date; endingUntil: Date },
) => sql<NeglectedKeyRow>`
  select * from (
    select k.name, k.created_at, s.used_at, s.secret_ends_at,
      coalesce(s.used_at, k.created_at) < ${times.unusedSince} as unused
    from api_key k cross join lateral (
      select max(${USED_AT}) as used_at, min(s.expires_at) filter (
        where s.expires_at > ${times.now} and s.expires_at <= ${times.endingUntil}) as secret_ends_at
      from api_key_secret s where s.api_key = k.api_key) s
    where k.organization_id = ${organizationId} and ${isInForce(latestNow(times.now))}) k
  where k.unused or k.created_at < ${times.olderThan} or k.secret_ends_at is not null
  order by k.name`;
