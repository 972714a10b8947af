import type { CredentialId, Email, OrganizationId } from '../../../contract/brands.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { isAheadOfStore } from '../../platform/db/store-clock.ts';

export const insertOrganization = (organization: { id: OrganizationId; name: string; now: Date }) => sql<{
  organization_id: OrganizationId;
}>`
  insert into organization (organization_id, name, created_at)
  values (${organization.id}, ${organization.name}, ${organization.now})
  on conflict (name) do nothing
  returning organization_id`;

/** Serializes the transactions that add something of which an organization has a limited number. */
export const lockOrganization = (organizationId: OrganizationId) => sql`
  select from organization where organization_id = ${organizationId} for no key update`;

export const insertApiKey = (key: {
  apiKey: string;
  organizationId: OrganizationId;
  role: string;
  secretHash: Buffer;
  now: Date;
}) => sql`
  insert into api_key (api_key, organization_id, role, secret_hash, created_at)
  values (${key.apiKey}, ${key.organizationId}, ${key.role}, ${key.secretHash}, ${key.now})`;

export const findApiKey = (apiKey: string) => sql<{
  organization_id: OrganizationId;
  role: 'admin' | 'researcher';
  secret_hash: Buffer;
  credential_id: CredentialId;
}>`
  select organization_id, role, secret_hash, credential_id from api_key where api_key = ${apiKey} and revoked_at is null`;

/** A condition: the key is in force with the secret of the credential, neither revoked nor rotated. */
export const isApiKeyCurrent = (apiKey: string, credentialId: CredentialId): Sql => sql`
  exists (
    select from api_key where api_key = ${apiKey} and credential_id = ${credentialId} and revoked_at is null)`;

export const selectIsApiKeyCurrent = (
  apiKey: string,
  credentialId: CredentialId,
  tokenExpiresAt: Date,
) => sql<{
  current: boolean;
}>`
  select ${isAheadOfStore(tokenExpiresAt)} and ${isApiKeyCurrent(apiKey, credentialId)} as current`;

export const insertConsoleMember = (member: {
  email: Email;
  organizationId: OrganizationId;
  passwordHash: string;
  now: Date;
}) => sql`
  insert into console_member (email, organization_id, password_hash, created_at)
  values (${member.email}, ${member.organizationId}, ${member.passwordHash}, ${member.now})
  on conflict (email) do nothing`;

export const findConsoleMembers = (organizationId: OrganizationId) => sql<{ email: string }>`
  select email from console_member where organization_id = ${organizationId} order by email`;
