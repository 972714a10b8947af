import type { CredentialId, Email, MemberId, OrganizationId, ProjectId } from '../../../contract/brands.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import type { Role } from '../../../contract/roles.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';

export interface MemberRow {
  member_id: MemberId;
  organization_id: OrganizationId;
  email: Email;
  name: string;
  role: Role;
  project_ids: ProjectId[] | null;
  /** What limited them when they were last a researcher. */
  kept_project_ids: ProjectId[] | null;
  password_hash: string;
  credential_id: CredentialId;
  must_choose_password: boolean;
  totp_secret: string | null;
  totp_pending: string | null;
  /** An authenticator app or a passkey. */
  has_factor: boolean;
  /** They have a login at the identity provider. */
  is_joined: boolean;
  created_at: Date;
  last_signed_in_at: Date | null;
}

/** Whether the member `m` has a second factor. */
export const hasFactor: Sql = sql`(m.totp_secret is not null
  or exists (select from member_passkey k where k.member_id = m.member_id))`;

/** Whether the member `m` has a login at the identity provider. */
export const isJoined: Sql = sql`exists (select from member_identity i where i.member_id = m.member_id)`;

/** Selects whether a member has codes, of an app or for recovery, and passkeys. */
export const findProofs = (memberId: MemberId) => sql<{ has_code: boolean; has_passkey: boolean }>`
  select m.totp_secret is not null
      or exists (select from member_recovery_code c where c.member_id = m.member_id) as has_code,
    exists (select from member_passkey k where k.member_id = m.member_id) as has_passkey
  from member m where m.member_id = ${memberId}`;

const columns: Sql = sql`m.member_id, m.organization_id, m.email, m.name, m.role, m.project_ids::text[],
  m.kept_project_ids::text[], m.password_hash, m.credential_id, m.must_choose_password, m.totp_secret, m.totp_pending,
  ${hasFactor} as has_factor, ${isJoined} as is_joined, m.created_at, m.last_signed_in_at`;

/** Returns what limits a member as a researcher, or did when they were one; null: nothing. */
export const getProjectLimit = (
  member: Pick<MemberRow, 'role' | 'project_ids' | 'kept_project_ids'>,
): ProjectId[] | null => (member.role === 'researcher' ? member.project_ids : member.kept_project_ids);

type NewMember = Omit<
  MemberRow,
  'kept_project_ids' | 'totp_secret' | 'totp_pending' | 'has_factor' | 'is_joined' | 'last_signed_in_at'
>;

/** Inserts a member; returns no row when the address is somebody's. */
export const insertMember = (row: NewMember) => sql<{ member_id: MemberId }>`
  insert into member (member_id, organization_id, email, name, role, project_ids, password_hash, credential_id,
    must_choose_password, created_at)
  values (${row.member_id}, ${row.organization_id}, ${row.email}, ${row.name}, ${row.role}, ${row.project_ids}::uuid[],
    ${row.password_hash}, ${row.credential_id}, ${row.must_choose_password}, ${row.created_at})
  on conflict (email) where removed_at is null do nothing returning member_id`;

export const findMemberByEmail = (email: Email) => sql<MemberRow>`
  select ${columns} from member m where m.email = ${email} and m.removed_at is null`;

export const findMember = (memberId: MemberId) => sql<MemberRow>`
  select ${columns} from member m where m.member_id = ${memberId} and m.removed_at is null`;

/** Selects a member with their present password, locked until the transaction ends; no row when it was changed meanwhile. */
export const lockCredential = (memberId: MemberId, credentialId: CredentialId) => sql<MemberRow>`
  select ${columns} from member m
  where m.member_id = ${memberId} and m.credential_id = ${credentialId} and m.removed_at is null for update`;

export const lockMember = (organizationId: OrganizationId, memberId: MemberId) => sql<MemberRow>`
  select ${columns} from member m
  where m.organization_id = ${organizationId} and m.member_id = ${memberId} and m.removed_at is null for update`;

export const findMembers = (organizationId: OrganizationId, { limit, offset }: PageQuery) => sql<MemberRow>`
  select ${columns} from member m where m.organization_id = ${organizationId} and m.removed_at is null
  order by m.created_at, m.member_id limit ${limit} offset ${offset}`;

export const countMembers = (organizationId: OrganizationId) => sql<{ total: number }>`
  select count(*) as total from member where organization_id = ${organizationId} and removed_at is null`;

/** Selects an owner besides one, in a transaction that has locked the organization. */
export const findOtherOwner = (organizationId: OrganizationId, memberId: MemberId) => sql<{
  member_id: MemberId;
}>`
  select member_id from member
  where organization_id = ${organizationId} and role = 'owner' and member_id <> ${memberId} and removed_at is null limit 1`;

/** Changes the role; of a researcher's, what limited them is kept for when they are one again. */
export const updateRole = (
  memberId: MemberId,
  { role, projectIds }: { role: Role; projectIds: readonly ProjectId[] | null },
) => sql`
  update member set role = ${role}, project_ids = ${projectIds}::uuid[],
    kept_project_ids = case when role = 'researcher' then project_ids else kept_project_ids end
  where member_id = ${memberId}`;

/** Keeps what limits a member of another role once they are a researcher. */
export const updateKeptProjects = (memberId: MemberId, projectIds: readonly ProjectId[]) => sql`
  update member set kept_project_ids = ${projectIds}::uuid[] where member_id = ${memberId}`;

export const updateMemberEmail = (memberId: MemberId, email: Email) => sql`
  update member set email = ${email} where member_id = ${memberId}`;

export const updateMemberName = (memberId: MemberId, name: string) => sql`
  update member set name = ${name} where member_id = ${memberId}`;

/** Marks a member as removed. The row keeps name and address for the log, and nothing to sign in with. */
export const updateRemoved = (memberId: MemberId, now: Date) => sql`
  update member set removed_at = ${now}, password_hash = '', totp_secret = null, totp_pending = null,
    credential_id = gen_random_uuid()
  where member_id = ${memberId}`;

export interface NewPassword {
  passwordHash: string;
  credentialId: CredentialId;
}

export const updateMemberPassword = (memberId: MemberId, { passwordHash, credentialId }: NewPassword) => sql`
  update member set password_hash = ${passwordHash}, credential_id = ${credentialId}, must_choose_password = false
  where member_id = ${memberId}`;

/** Ends every session that was begun with what a member signed in by before, every link to a new password, and no password. */
export const updateCredentialId = (memberId: MemberId, credentialId: CredentialId) => sql`
  update member set credential_id = ${credentialId} where member_id = ${memberId}`;

export const updateSignedIn = (memberId: MemberId, now: Date) => sql`
  update member set last_signed_in_at = ${now} where member_id = ${memberId}`;

/** Selects the addresses that are mailed when something fails: those that the organization names, or every member's. */
export const findFaultAddresses = (organizationId: OrganizationId) => sql<{ email: string }>`
  select distinct coalesce(named.email, m.email) as email from organization o
  left join lateral unnest(o.fault_addresses) as named(email) on true
  left join member m on o.fault_addresses is null and m.organization_id = o.organization_id and m.removed_at is null
  where o.organization_id = ${organizationId} and coalesce(named.email, m.email) is not null order by 1`;

/** Selects the names of members, removed ones too: the audit log names them by their ids. */
export const selectMemberNames = (organizationId: OrganizationId, ids: readonly string[]) => sql<{
  member_id: MemberId;
  name: string;
}>`
  select member_id, name from member
  where organization_id = ${organizationId} and member_id::text = any(${ids}::text[])`;

/** A second row when the organization has two owners. */
export const findTwoOwners = (organizationId: OrganizationId) => sql<{ member_id: MemberId }>`
  select member_id from member
  where organization_id = ${organizationId} and role = 'owner' and removed_at is null limit 2`;
