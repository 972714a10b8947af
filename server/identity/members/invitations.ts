import { INVITATION_DAYS, MAX_MEMBERS, type Invitation } from '../../../contract/organization/members.ts';
import type { Email, InvitationId, OrganizationId, ProjectId } from '../../../contract/brands.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import type { Role } from '../../../contract/roles.ts';
import { maybeOne, one, type Queryable, type Tx } from '../../platform/db/db.ts';
import { selectLatestNow } from '../../platform/db/store-clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { notFound, Refusal } from '../../platform/kernel/refusal.ts';
import { generateSecret, hashSecret } from '../../platform/kernel/secret.ts';
import { lockOrganization } from '../organizations/organizations.sql.ts';
import * as statements from './invitations.sql.ts';
import {
  lockForChange,
  requireAssignable,
  type MemberCommand,
  type MemberDeps,
  type MemberManager,
} from './manage-members.ts';
import { countMembers, findMemberByEmail } from './members.sql.ts';

const DAY_MS = 24 * 3_600_000;

/** Hands the secret of an invitation to whom it is for, in the transaction that makes it; a mail, or the operator's screen. */
export type Deliver = (
  tx: Tx,
  invitation: {
    email: Email;
    token: string;
    expiresAt: Date;
    isReset: boolean;
    organizationId: OrganizationId;
  },
) => Promise<void>;

interface NewInvitation {
  email: Email;
  role: Role;
  projectIds: ProjectId[] | null;
}

/**
 * Invites an address. It answers the same whether or not the address signs in to another organization: whoever opens the
 * invitation learns so.
 */
export function inviteMember(
  { db, clock, audit }: MemberDeps,
  manager: MemberManager,
  { invited, deliver }: { invited: NewInvitation; deliver: Deliver },
): Promise<Invitation> {
  const { organizationId, actor } = manager;
  return db.tx(async (tx) => {
    await tx.query(lockOrganization(organizationId));
    await requireAssignable(tx, manager, invited);
    const { now } = await one(tx, selectLatestNow(clock.now()));
    const known = await maybeOne(tx, findMemberByEmail(invited.email));
    if (known?.organization_id === organizationId)
      throw new Refusal(409, 'member_exists', { detail: 'The address is that of a member.' });
    const members = (await one(tx, countMembers(organizationId))).total;
    if (members + (await one(tx, statements.countInvitations(organizationId, now))).total >= MAX_MEMBERS)
      throw new Refusal(409, 'too_many_members', {
        detail: `An organization has at most ${MAX_MEMBERS} members.`,
      });
    const row = buildInvitation(manager, { ...invited, memberId: null, now });
    await writeInvitation(tx, row, deliver);
    await audit.write(tx, {
      organizationId,
      action: 'member.invited',
      actor,
      detail: { invitationId: row.invitation_id, role: row.role, projectIds: row.project_ids },
    });
    return toInvitationDto(row);
  });
}

/** Lets a member choose password and factor anew; nothing of theirs changes before they do. */
export function resetMember(
  { db, clock, audit }: MemberDeps,
  command: MemberCommand,
  deliver: Deliver,
): Promise<{ expiresAt: string; email: Email }> {
  const { organizationId, memberId, actor } = command;
  return db.tx(async (tx) => {
    const { email, role, project_ids: projectIds } = await lockForChange(tx, command);
    const { now } = await one(tx, selectLatestNow(clock.now()));
    const row = buildInvitation(command, { email, role, projectIds, memberId, now });
    await writeInvitation(tx, row, deliver);
    await audit.write(tx, { organizationId, action: 'member.reset_requested', actor, detail: { memberId } });
    return { expiresAt: row.expires_at.toISOString(), email };
  });
}

const buildInvitation = (
  { organizationId, actor }: MemberManager,
  {
    email,
    role,
    projectIds,
    memberId,
    now,
  }: NewInvitation & { memberId: statements.InvitationRow['member_id']; now: Date },
): statements.InvitationRow => ({
  invitation_id: generateId<InvitationId>(),
  organization_id: organizationId,
  email,
  role,
  project_ids: projectIds,
  member_id: memberId,
  invited_by_kind: actor.kind,
  invited_by: actor.id,
  created_at: now,
  expires_at: new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
});

async function writeInvitation(tx: Tx, row: statements.InvitationRow, deliver: Deliver): Promise<void> {
  const token = generateSecret('');
  await tx.query(statements.deleteInvitationsTo(row.organization_id, row.email));
  await tx.query(statements.insertInvitation(row, hashSecret(token)));
  await deliver(tx, {
    email: row.email,
    token,
    expiresAt: row.expires_at,
    isReset: row.member_id !== null,
    organizationId: row.organization_id,
  });
}

export function revokeInvitation(
  { db, audit }: MemberDeps,
  { organizationId, actor }: MemberManager,
  invitationId: InvitationId,
): Promise<void> {
  return db.tx(async (tx) => {
    if (!(await maybeOne(tx, statements.deleteInvitation(organizationId, invitationId))))
      throw notFound('The invitation');
    await audit.write(tx, {
      organizationId,
      action: 'member.invitation_revoked',
      actor,
      detail: { invitationId },
    });
  });
}

export async function listInvitations(
  db: Queryable,
  organizationId: OrganizationId,
  page: PageQuery & { now: Date },
): Promise<{ total: number; results: Invitation[] }> {
  const { total } = await one(db, statements.countInvitations(organizationId, page.now));
  const rows = await db.query(statements.findInvitations(organizationId, page));
  return { total, results: rows.map(toInvitationDto) };
}

const toInvitationDto = (row: statements.InvitationRow): Invitation => ({
  id: row.invitation_id,
  email: row.email,
  role: row.role,
  projectIds: row.project_ids,
  invitedBy: { kind: row.invited_by_kind, id: row.invited_by },
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
});
