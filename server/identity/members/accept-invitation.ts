import { toEmail, type CredentialId, type MemberId } from '../../../contract/brands.ts';
import type { SignInProvider } from '../../../contract/console/sign-in-provider.ts';
import { maybeOne, type Db, type Tx } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { invalidInput, Refusal } from '../../platform/kernel/refusal.ts';
import { hashSecret } from '../../platform/kernel/secret.ts';
import { requireStrongPassword } from '../accounts/password-rule.ts';
import { findMailSender } from '../organizations/mail-sender.ts';
import { lockOrganization } from '../organizations/organizations.sql.ts';
import { deleteRecoveryCodes, deleteTotp } from './factors.sql.ts';
import * as statements from './invitations.sql.ts';
import { beginMemberSession } from './member-session.ts';
import { findMember, insertMember, lockMember, updateMemberPassword } from './members.sql.ts';
import type { CredentialDeps } from './own-credentials.ts';
import type { OidcProvider } from './oidc/provider.ts';
import { deleteMemberIdentity } from './oidc/oidc.sql.ts';
import { describeProvider, requireOwnWay } from './oidc/provider-rule.ts';
import { deleteMemberPasskeys } from './passkeys/passkeys.sql.ts';
import { deleteMemberSessions } from './sessions.sql.ts';

export interface OpenedInvitation {
  organization: { name: string };
  email: string;
  role: statements.InvitationRow['role'];
  isReset: boolean;
  /** null: it is accepted by choosing a password alone. */
  oidc: SignInProvider | null;
}

/** Returns what an invitation is for, without using it up; throws `link_invalid` for a dead one. */
export async function openInvitation(
  { db, clock, oidc }: { db: Db; clock: Clock; oidc: OidcProvider | null },
  token: string,
): Promise<OpenedInvitation> {
  const row = await maybeOne(db, statements.findInvitation(hashSecret(token), clock.now()));
  const sender = row && (await findMailSender(db, row.organization_id));
  if (!row || !sender) throw invalidLink();
  return {
    organization: { name: sender.name },
    email: row.email,
    role: row.role,
    isReset: row.member_id !== null,
    oidc: await describeWayIn({ db, oidc }, row),
  };
}

/** Describes where the invited may sign in instead, which accepts it too. */
async function describeWayIn(
  { db, oidc }: { db: Db; oidc: OidcProvider | null },
  row: statements.InvitationRow,
): Promise<SignInProvider | null> {
  const provider = await describeProvider(db, oidc, row.organization_id);
  return provider && { ...provider, isOnly: provider.isOnly && !isOperators(row) };
}

/** The operator's own command is the way in for whoever is locked out. */
const isOperators = ({ invited_by_kind: kind }: statements.InvitationRow): boolean => kind === 'system';

interface Acceptance {
  token: string;
  password: string;
  name: string | undefined;
  device: string;
  /** The cookie of the session that this browser had before. */
  session: string | null;
}

/**
 * Uses up an invitation: somebody becomes a member with the password they chose, or a member chooses password and factor anew,
 * whose every session ends. Returns the cookie of a session in which nothing is open but choosing a factor.
 */
export async function acceptInvitation(deps: CredentialDeps, accepted: Acceptance): Promise<string> {
  const { db, clock, passwords, passwordRule } = deps;
  const tokenHash = hashSecret(accepted.token);
  const row = await maybeOne(db, statements.findInvitation(tokenHash, clock.now()));
  if (!row) throw invalidLink();
  if (!isOperators(row)) await requireOwnWay(db, deps.oidc, row.organization_id);
  const known = row.member_id === null ? null : await maybeOne(db, findMember(row.member_id));
  const name = accepted.name ?? known?.name;
  if (name === undefined) throw invalidInput([{ path: 'name', message: 'is required of a new member' }]);
  await requireStrongPassword(passwordRule, accepted.password, { email: toEmail(row.email), names: [name] });
  const passwordHash = await passwords.hash(accepted.password, row.email);
  return db.tx(async (tx) => {
    // Whoever made it is not removed, or given another role, meanwhile.
    await tx.query(lockOrganization(row.organization_id));
    const now = clock.now();
    const invitation = await maybeOne(tx, statements.consumeInvitation(tokenHash, now));
    if (!invitation) throw invalidLink();
    const credentialId = generateId<CredentialId>();
    const person = { name, passwordHash, credentialId, now };
    const memberId = await (invitation.member_id === null
      ? join(tx, deps, { invitation, person })
      : chooseAnew(tx, deps, { invitation, memberId: invitation.member_id, person }));
    const { device, session: previous } = accepted;
    return beginMemberSession(tx, { memberId, credentialId, device, now, previous });
  });
}

interface Person {
  name: string;
  passwordHash: string;
  credentialId: CredentialId;
  now: Date;
}

async function join(
  tx: Tx,
  { audit }: CredentialDeps,
  { invitation, person }: { invitation: statements.InvitationRow; person: Person },
): Promise<MemberId> {
  const { organization_id: organizationId, email, role, project_ids: projectIds } = invitation;
  const memberId = generateId<MemberId>();
  const inserted = await maybeOne(
    tx,
    insertMember({
      member_id: memberId,
      organization_id: organizationId,
      email,
      name: person.name,
      role,
      project_ids: projectIds,
      password_hash: person.passwordHash,
      credential_id: person.credentialId,
      must_choose_password: false,
      created_at: person.now,
    }),
  );
  if (!inserted)
    throw new Refusal(409, 'address_taken', { detail: 'This address signs in to an organization already.' });
  await audit.write(tx, {
    organizationId,
    action: 'member.joined',
    actor: { kind: 'member', id: memberId },
    detail: { invitationId: invitation.invitation_id, role },
  });
  return memberId;
}

async function chooseAnew(
  tx: Tx,
  { audit }: CredentialDeps,
  {
    invitation,
    memberId,
    person,
  }: { invitation: statements.InvitationRow; memberId: MemberId; person: Person },
): Promise<MemberId> {
  const { organization_id: organizationId } = invitation;
  if (!(await maybeOne(tx, lockMember(organizationId, memberId)))) throw invalidLink();
  await tx.query(updateMemberPassword(memberId, person));
  await tx.query(deleteTotp(memberId));
  await tx.query(deleteMemberPasskeys(memberId));
  await tx.query(deleteMemberIdentity(memberId));
  await tx.query(deleteRecoveryCodes(memberId));
  await tx.query(deleteMemberSessions(memberId));
  await audit.write(tx, {
    organizationId,
    action: 'member.factor_reset',
    actor: { kind: 'member', id: memberId },
    detail: { memberId },
  });
  return memberId;
}

/** Builds the same refusal for unknown, used, revoked and expired invitations, and those whose maker could make them no more. */
const invalidLink = (): Refusal =>
  new Refusal(404, 'link_invalid', {
    detail: 'This invitation is unknown, was used already, taken back or has expired; ask for a new one.',
  });
