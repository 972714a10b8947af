import type { MemberSession } from '../../../../contract/audience.ts';
import type { CredentialId } from '../../../../contract/brands.ts';
import { maybeOne, type Tx } from '../../../platform/db/db.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { lockOrganization } from '../../organizations/organizations.sql.ts';
import { deleteInvitationsTo } from '../invitations.sql.ts';
import { beginMemberSession } from '../member-session.ts';
import { updateCredentialId, type MemberRow } from '../members.sql.ts';
import { lockOwn } from '../own-credentials.ts';
import { deleteMemberSessions } from '../sessions.sql.ts';
import { emailUnverified, noRole, type ProviderPerson } from './claims.ts';
import * as statements from './oidc.sql.ts';
import { refreshMember } from './refresh-member.ts';
import type { OidcSignInDeps } from './sign-in-by-identity.ts';

interface Joining {
  /** Of the organization whose members sign in at the provider. */
  caller: MemberSession;
  person: ProviderPerson;
  device: string;
}

/**
 * Joins the login at the provider with a member who is signed in and proved to be present, only by an address that the provider
 * has verified. It is a sign-in there: the groups decide the role from now on, and the session whose cookie is returned is the
 * only one that goes on.
 */
export function joinIdentity(deps: OidcSignInDeps, { caller, person, device }: Joining): Promise<string> {
  const { db, clock, audit } = deps;
  const { organizationId } = caller;
  return db.tx(async (tx) => {
    await tx.query(lockOrganization(organizationId));
    const member = await lockOwn(tx, caller);
    const { member_id: memberId } = member;
    if (person.email === null) throw emailUnverified();
    if (person.email !== member.email) throw otherPerson();
    if (person.role === null) throw noRole();
    await replaceIdentity(tx, { member, identity: person.identity, now: clock.now() });
    const credentialId = await endOwnLogins(tx, member);
    await audit.write(tx, {
      organizationId,
      action: 'console.identity_joined',
      actor: { kind: 'member', id: memberId },
    });
    await refreshMember(tx, deps, { organizationId, memberId, person, kept: null });
    const now = clock.now();
    return beginMemberSession(tx, {
      memberId,
      credentialId,
      device,
      now,
      previous: null,
      byProvider: true,
    });
  });
}

async function replaceIdentity(
  tx: Tx,
  { member, identity, now }: { member: MemberRow; identity: statements.Identity; now: Date },
): Promise<void> {
  const { member_id: memberId, organization_id: organizationId } = member;
  const taken = await maybeOne(tx, statements.findIdentityOwner(identity, organizationId));
  if (taken && !taken.is_removed && taken.member_id !== memberId) throw identityTaken();
  await tx.query(statements.deleteMemberIdentity(memberId));
  const upserted = statements.upsertIdentity({ identity, organizationId, memberId, now });
  if (!(await maybeOne(tx, upserted))) throw identityTaken();
}

/**
 * Ends what password and passkey have begun: sessions, links to a new password, and resets that were mailed. Sign-ins that are
 * under way compare the credential, which is another one now.
 */
async function endOwnLogins(
  tx: Tx,
  { member_id: memberId, organization_id: organizationId, email }: MemberRow,
): Promise<CredentialId> {
  const credentialId = generateId<CredentialId>();
  await tx.query(updateCredentialId(memberId, credentialId));
  await tx.query(deleteMemberSessions(memberId));
  await tx.query(deleteInvitationsTo(organizationId, email));
  return credentialId;
}

const identityTaken = (): Refusal =>
  new Refusal(409, 'identity_taken', { detail: 'This login belongs to another member.' });

export const otherPerson = (): Refusal =>
  new Refusal(401, 'oidc_other_person', {
    detail: 'Another person, or another e-mail address, is signed in at the identity provider.',
  });
