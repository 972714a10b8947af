import type { Email, InvitationId, MemberId, OrganizationId, ProjectId } from '../../../contract/brands.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import { hasPermission, ROLES, type Role } from '../../../contract/roles.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { latestNow, latestNowAfterLock } from '../../platform/db/store-clock.ts';
import { isManagingKey } from '../organizations/api-keys.sql.ts';

export interface InvitationRow {
  invitation_id: InvitationId;
  organization_id: OrganizationId;
  email: Email;
  role: Role;
  project_ids: ProjectId[] | null;
  /** The member who chooses password and factor anew; null: somebody becomes a member. */
  member_id: MemberId | null;
  invited_by_kind: string;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
}

const columns: Sql = sql`invitation_id, organization_id, email, role, project_ids::text[], member_id, invited_by_kind,
  invited_by, created_at, expires_at`;

export const insertInvitation = (row: InvitationRow, tokenHash: Buffer) => sql`
  insert into member_invitation (invitation_id, token_hash, organization_id, email, role, project_ids, member_id,
    invited_by_kind, invited_by, created_at, expires_at)
  values (${row.invitation_id}, ${tokenHash}, ${row.organization_id}, ${row.email}, ${row.role}, ${row.project_ids}::uuid[],
    ${row.member_id}, ${row.invited_by_kind}, ${row.invited_by}, ${row.created_at}, ${row.expires_at})`;

/**
 * A condition on a row `i` of `member_invitation`: whoever made it could still make it. It gives no more than they have: it ends
 * with a member who was removed, with a role that manages members no more, with an API key that was revoked or has expired, or
 * whose secret of then a rotation has ended, and, where it makes an owner, or lets somebody choose anew who is one by now, with
 * a maker who is no owner. What the operator made on the command line ends by its time alone.
 */
const isInviterPermitted = (now: Sql): Sql => {
  const managers = ROLES.filter((role) => hasPermission(role, 'members.manage'));
  const isForOwner = sql`(i.role = 'owner' or exists (
    select from member o where o.member_id = i.member_id and o.role = 'owner'))`;
  const key = { apiKey: sql`i.invited_by`, organizationId: sql`i.organization_id`, since: sql`i.created_at` };
  return sql`case i.invited_by_kind
    when 'system' then true
    when 'member' then exists (
      select from member m
      where m.member_id::text = i.invited_by and m.organization_id = i.organization_id and m.removed_at is null
        and m.role = any(${managers}::text[]) and (m.role = 'owner' or not ${isForOwner}))
    else not ${isForOwner} and ${isManagingKey(key, now)} end`;
};

/** Selects those that wait to be accepted, newest first. */
export const findInvitations = (
  organizationId: OrganizationId,
  { limit, offset, now }: PageQuery & { now: Date },
) => sql<InvitationRow>`
  select ${columns} from member_invitation i
  where organization_id = ${organizationId} and member_id is null and expires_at > ${latestNow(now)}
    and ${isInviterPermitted(latestNow(now))}
  order by created_at desc, invitation_id limit ${limit} offset ${offset}`;

export const countInvitations = (organizationId: OrganizationId, now: Date) => sql<{ total: number }>`
  select count(*) as total from member_invitation i
  where organization_id = ${organizationId} and member_id is null and expires_at > ${latestNow(now)}
    and ${isInviterPermitted(latestNow(now))}`;

/** Selects the invitation of a secret, without using it up. */
export const findInvitation = (tokenHash: Buffer, now: Date) => sql<InvitationRow>`
  select ${columns} from member_invitation i
  where token_hash = ${tokenHash} and expires_at > ${latestNow(now)} and ${isInviterPermitted(latestNow(now))}`;

/**
 * Uses up the invitation of a secret, in a transaction that has locked the organization, as every change of its members and
 * keys does: of two at once, one gets a row.
 */
export const consumeInvitation = (tokenHash: Buffer, now: Date) => sql<InvitationRow>`
  delete from member_invitation i
  where token_hash = ${tokenHash} and expires_at > ${latestNowAfterLock(now)} and ${isInviterPermitted(latestNowAfterLock(now))}
  returning ${columns}`;

/** Uses up, in such a transaction too, the invitation by which the person of an address becomes a member. */
export const consumeInvitationTo = (
  organizationId: OrganizationId,
  email: Email,
  now: Date,
) => sql<InvitationRow>`
  delete from member_invitation i
  where organization_id = ${organizationId} and email = ${email} and member_id is null
    and expires_at > ${latestNowAfterLock(now)} and ${isInviterPermitted(latestNowAfterLock(now))}
  returning ${columns}`;

export const deleteInvitation = (organizationId: OrganizationId, invitationId: InvitationId) => sql<{
  email: string;
}>`
  delete from member_invitation
  where organization_id = ${organizationId} and invitation_id = ${invitationId} returning email`;

/** Deletes what an organization sent to an address before: the last one counts. */
export const deleteInvitationsTo = (organizationId: OrganizationId, email: Email) => sql`
  delete from member_invitation where organization_id = ${organizationId} and email = ${email}`;

export const deleteExpiredInvitations = (now: Date) => sql`
  delete from member_invitation where expires_at <= ${now}`;
