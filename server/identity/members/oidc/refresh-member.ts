import type { Email, MemberId, OrganizationId, SessionId } from '../../../../contract/brands.ts';
import type { Audit } from '../../../platform/audit/append.ts';
import { maybeOne, type Tx } from '../../../platform/db/db.ts';
import { deleteInvitationsTo } from '../invitations.sql.ts';
import * as members from '../members.sql.ts';
import { deleteMemberSessions } from '../sessions.sql.ts';
import type { ProviderPerson } from './claims.ts';

interface Deps {
  audit: Audit;
}

/** Who changes a member at a sign-in. */
const PROVIDER = { kind: 'system', id: 'identity-provider' } as const;

interface Refreshed {
  organizationId: OrganizationId;
  memberId: MemberId;
  person: Pick<ProviderPerson, 'role' | 'email'>;
  /** The session that goes on with another role; null: none. */
  kept: SessionId | null;
}

/**
 * Gives a member the role of their groups and the address that the provider has verified, in a transaction that has locked the
 * organization. False, with every session ended, where no group of theirs has a role, or they are no member any more.
 */
export async function refreshMember(
  tx: Tx,
  deps: Deps,
  { organizationId, memberId, person: { role, email }, kept }: Refreshed,
): Promise<boolean> {
  const member = await maybeOne(tx, members.lockMember(organizationId, memberId));
  if (!member) return false;
  if (role === null) {
    await endAccess(tx, deps, member);
    return false;
  }
  if (email !== null && email !== member.email) await takeAddress(tx, deps, { member, email });
  if (role === member.role) return true;
  // What an owner limited as a researcher counts again when a group makes them one again.
  const projectIds = role === 'researcher' ? members.getProjectLimit(member) : null;
  await tx.query(members.updateRole(memberId, { role, projectIds }));
  await tx.query(deleteMemberSessions(memberId, kept));
  await deps.audit.write(tx, {
    organizationId,
    action: 'member.changed',
    actor: PROVIDER,
    detail: { memberId, renamed: false, role, projectIds },
  });
  return true;
}

async function endAccess(
  tx: Tx,
  { audit }: Deps,
  { member_id: memberId, organization_id: organizationId }: members.MemberRow,
): Promise<void> {
  await tx.query(deleteMemberSessions(memberId));
  await audit.write(tx, {
    organizationId,
    action: 'console.sign_in_failed',
    actor: { kind: 'member', id: memberId },
    outcome: 'refused',
    detail: { factor: 'identity_provider', reason: 'no_role' },
  });
}

/**
 * Takes the address that a member has at the provider by now, unless somebody else has it here, which only people can settle.
 * What was mailed to the one before, or invites whoever has the new one, ends.
 */
async function takeAddress(
  tx: Tx,
  { audit }: Deps,
  { member, email }: { member: members.MemberRow; email: Email },
): Promise<void> {
  const { member_id: memberId, organization_id: organizationId } = member;
  const isTaken = (await maybeOne(tx, members.findMemberByEmail(email))) !== null;
  if (!isTaken) {
    await tx.query(members.updateMemberEmail(memberId, email));
    await tx.query(deleteInvitationsTo(organizationId, member.email));
    await tx.query(deleteInvitationsTo(organizationId, email));
  }
  await audit.write(tx, {
    organizationId,
    action: isTaken ? 'member.address_kept' : 'member.address_changed',
    actor: PROVIDER,
    detail: { memberId },
  });
}
