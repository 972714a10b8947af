import type { MemberId, OrganizationId, ProjectId } from '../../../contract/brands.ts';
import type { Member } from '../../../contract/organization/members.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import type { Role } from '../../../contract/roles.ts';
import type { Audit, AuditEntry } from '../../platform/audit/append.ts';
import { maybeOne, one, type Db, type Queryable, type Tx } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { forbidden, invalidInput, notFound, Refusal } from '../../platform/kernel/refusal.ts';
import { lockOrganization } from '../organizations/organizations.sql.ts';
import { requireOwnProjects } from '../organizations/projects.ts';
import { deleteInvitationsTo } from './invitations.sql.ts';
import * as statements from './members.sql.ts';
import { deleteMemberPasskeys } from './passkeys/passkeys.sql.ts';
import { deleteMemberSessions } from './sessions.sql.ts';

export interface MemberDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
}

/** Who manages the members of which organization. */
export interface MemberManager {
  organizationId: OrganizationId;
  actor: AuditEntry['actor'];
  /** Makes, changes and removes owners too: an owner, or the operator of the server. */
  mayManageOwners: boolean;
}

export interface MemberCommand extends MemberManager {
  memberId: MemberId;
}

interface MemberChange {
  name?: string | undefined;
  role?: Role | undefined;
  projectIds?: ProjectId[] | null | undefined;
}

/**
 * Changes a member. Another role or other projects end their sessions: the next call of any of them is refused. Changes of one
 * organization's members run one after another, so that two owners cannot remove each other.
 */
export function updateMember(
  { db, audit }: MemberDeps,
  command: MemberCommand,
  change: MemberChange,
): Promise<Member> {
  const { organizationId, memberId, actor } = command;
  return db.tx(async (tx) => {
    const before = await lockForChange(tx, command);
    const role = change.role ?? before.role;
    const kept = role === 'researcher' ? statements.getProjectLimit(before) : null;
    const { name = before.name, projectIds = kept } = change;
    await requireAssignable(tx, command, { role, projectIds });
    if (before.role === 'owner' && role !== 'owner') await requireOtherOwner(tx, command);
    const isRoleChanged = role !== before.role || !isSameSet(projectIds, before.project_ids);
    if (name !== before.name) await tx.query(statements.updateMemberName(memberId, name));
    if (isRoleChanged) {
      await tx.query(statements.updateRole(memberId, { role, projectIds }));
      await tx.query(deleteMemberSessions(memberId));
    }
    if (isRoleChanged || name !== before.name)
      await audit.write(tx, {
        organizationId,
        action: 'member.changed',
        actor,
        detail: { memberId, renamed: name !== before.name, ...(isRoleChanged && { role, projectIds }) },
      });
    return toMemberDto({ ...before, name, role, project_ids: projectIds });
  });
}

const isSameSet = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  one === null || other === null ? one === other : one.toSorted().join() === other.toSorted().join();

/** Removes a member with their sessions and with what could make them one again. */
export function removeMember({ db, clock, audit }: MemberDeps, command: MemberCommand): Promise<void> {
  const { organizationId, memberId, actor } = command;
  return db.tx(async (tx) => {
    const member = await lockForChange(tx, command);
    if (member.role === 'owner') await requireOtherOwner(tx, command);
    await tx.query(statements.updateRemoved(memberId, clock.now()));
    await tx.query(deleteMemberSessions(memberId));
    await tx.query(deleteMemberPasskeys(memberId));
    await tx.query(deleteInvitationsTo(organizationId, member.email));
    await audit.write(tx, { organizationId, action: 'member.removed', actor, detail: { memberId } });
  });
}

/** Locks the organization and a member of it; throws 404 for nobody, and 403 for an owner where only owners may. */
export async function lockForChange(
  tx: Tx,
  { organizationId, memberId, mayManageOwners }: MemberCommand,
): Promise<statements.MemberRow> {
  await tx.query(lockOrganization(organizationId));
  const member = await maybeOne(tx, statements.lockMember(organizationId, memberId));
  if (!member) throw notFound('The member');
  if (member.role === 'owner' && !mayManageOwners) throw ownerRequired();
  return member;
}

/** Throws unless the role, limited to these projects, may be given by this manager. */
export async function requireAssignable(
  tx: Tx,
  { organizationId, mayManageOwners }: MemberManager,
  { role, projectIds }: { role: Role; projectIds: readonly ProjectId[] | null },
): Promise<void> {
  if (role === 'owner' && !mayManageOwners) throw ownerRequired();
  if (projectIds === null) return;
  if (role !== 'researcher')
    throw invalidInput([{ path: 'projectIds', message: 'must be null for every role but researcher' }]);
  await requireOwnProjects(tx, organizationId, { projectIds, path: 'projectIds' });
}

const ownerRequired = (): Refusal =>
  forbidden('Only an owner makes, changes or removes an owner.', 'owner_required');

async function requireOtherOwner(tx: Tx, { organizationId, memberId }: MemberCommand): Promise<void> {
  if (await maybeOne(tx, statements.findOtherOwner(organizationId, memberId))) return;
  throw new Refusal(409, 'last_owner', {
    detail: 'This is the only owner; make somebody else an owner first.',
  });
}

export async function listMembers(
  db: Queryable,
  organizationId: OrganizationId,
  page: PageQuery,
): Promise<{ total: number; results: Member[] }> {
  const { total } = await one(db, statements.countMembers(organizationId));
  return { total, results: (await db.query(statements.findMembers(organizationId, page))).map(toMemberDto) };
}

const toMemberDto = (row: statements.MemberRow): Member => ({
  id: row.member_id,
  email: row.email,
  name: row.name,
  role: row.role,
  projectIds: row.project_ids,
  hasFactor: row.has_factor,
  createdAt: row.created_at.toISOString(),
  lastSignedInAt: row.last_signed_in_at?.toISOString() ?? null,
});
