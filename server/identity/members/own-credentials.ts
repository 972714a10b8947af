import type { MemberSession } from '../../../contract/audience.ts';
import type { CredentialId, MemberId, OrganizationId } from '../../../contract/brands.ts';
import { maybeOne, type Tx } from '../../platform/db/db.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { verifyPassword } from '../../platform/kernel/password.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { hashSecret, verifySecret } from '../../platform/kernel/secret.ts';
import { requireStrongPassword, type PasswordRule } from '../accounts/password-rule.ts';
import type { PasswordLine } from '../tokens/password-line.ts';
import * as factors from './factors.sql.ts';
import { beginMemberSession } from './member-session.ts';
import * as statements from './members.sql.ts';
import { requireNotJoined, requireSessionNotJoined } from './oidc/provider-rule.ts';
import { buildTotpUri, findTotpStep, generateTotpSecret, renewRecoveryCodes } from './second-factor.ts';
import { deleteMemberSessions } from './sessions.sql.ts';
import type { SignInDeps } from './sign-in.ts';
import { toTotpPurpose } from './stored-secrets.ts';

export interface CredentialDeps extends SignInDeps {
  passwords: PasswordLine;
  passwordRule: PasswordRule;
}

interface PasswordChange {
  session: MemberSession;
  currentPassword: string;
  newPassword: string;
  /** undefined: it stays. */
  name: string | undefined;
  address: string;
  requestId: string;
  device: string;
}

/** Replaces the password of whoever knows the present one; every session ends, and the new cookie is returned. */
export async function changeMemberPassword(deps: CredentialDeps, change: PasswordChange): Promise<string> {
  const { db, clock, audit, throttle } = deps;
  const { session, currentPassword, newPassword, name, address, requestId, device } = change;
  await requireSessionNotJoined(db, deps.oidc, session);
  const who = { account: `member:${session.email}`, address, requestId, memberId: session.subject };
  const verified = await throttle.guard(who, async () => {
    const member = await maybeOne(db, statements.findMember(session.subject));
    return member && (await verifyPassword(member.password_hash, currentPassword)) ? member : null;
  });
  if (verified === null) throw wrongPassword();
  await requireStrongPassword(deps.passwordRule, newPassword, {
    email: verified.email,
    names: [verified.name, ...(name === undefined ? [] : [name])],
  });
  if (verifySecret(newPassword, hashSecret(currentPassword)))
    throw new Refusal(400, 'same_password', { detail: 'Choose another password than the present one.' });
  const passwordHash = await deps.passwords.hash(newPassword, verified.member_id);
  return db.tx(async (tx) => {
    const { member_id: memberId, organization_id: organizationId } = verified;
    const locked = await maybeOne(tx, statements.lockCredential(memberId, verified.credential_id));
    if (!locked) throw wrongPassword();
    await requireNotJoined(tx, deps.oidc, locked);
    const credentialId = generateId<CredentialId>();
    await tx.query(statements.updateMemberPassword(memberId, { passwordHash, credentialId }));
    if (name !== undefined && name !== verified.name)
      await renameSelf(tx, { audit }, { memberId, organizationId, name });
    await tx.query(deleteMemberSessions(memberId));
    await audit.write(tx, {
      organizationId,
      action: 'console.password_changed',
      actor: { kind: 'member', id: memberId },
    });
    return beginMemberSession(tx, { memberId, credentialId, device, now: clock.now(), previous: null });
  });
}

/** Changes how others of the organization see the member. */
export function changeOwnName(
  { db, audit }: CredentialDeps,
  session: MemberSession,
  name: string,
): Promise<void> {
  return db.tx(async (tx) => {
    const member = await lockOwn(tx, session);
    const { member_id: memberId, organization_id: organizationId } = member;
    if (name !== member.name) await renameSelf(tx, { audit }, { memberId, organizationId, name });
  });
}

async function renameSelf(
  tx: Tx,
  { audit }: Pick<CredentialDeps, 'audit'>,
  { memberId, organizationId, name }: { memberId: MemberId; organizationId: OrganizationId; name: string },
): Promise<void> {
  await tx.query(statements.updateMemberName(memberId, name));
  await audit.write(tx, {
    organizationId,
    action: 'member.changed',
    actor: { kind: 'member', id: memberId },
    detail: { memberId, renamed: true },
  });
}

const wrongPassword = (): Refusal =>
  new Refusal(401, 'invalid_credentials', { detail: 'The present password is another one.' });

/** Stores a secret for an authenticator app, which is in force once its first code was sent. */
export function beginTotp(
  { db, secrets }: CredentialDeps,
  session: MemberSession,
): Promise<{ secret: string; uri: string }> {
  return db.tx(async (tx) => {
    const member = await lockOwn(tx, session);
    const secret = generateTotpSecret();
    const stored = await secrets.seal(toTotpPurpose(member.member_id), secret);
    await tx.query(factors.updatePendingTotp(member.member_id, stored));
    return { secret, uri: buildTotpUri(secret, member.email) };
  });
}

/**
 * Puts the authenticator app into force by its first code; it replaces the one before. Every other session of the member
 * ends, and the recovery codes are new.
 */
export function activateTotp(
  { db, clock, audit, secrets }: CredentialDeps,
  session: MemberSession,
  code: string,
): Promise<{ recoveryCodes: string[] }> {
  return db.tx(async (tx) => {
    const member = await lockOwn(tx, session);
    const { member_id: memberId, totp_pending: stored } = member;
    const secret = stored === null ? null : await secrets.open(toTotpPurpose(memberId), stored);
    const step = secret === null ? null : findTotpStep(secret, code, clock.now());
    if (stored === null || step === null)
      throw new Refusal(400, 'wrong_code', {
        detail: 'The code is not that of the secret; begin again, and check the clock of the device.',
      });
    await tx.query(factors.activateTotp(memberId, stored, step));
    await tx.query(deleteMemberSessions(memberId, session.sessionId));
    const recoveryCodes = await renewRecoveryCodes(tx, memberId);
    await audit.write(tx, {
      organizationId: member.organization_id,
      action: 'console.factor_changed',
      actor: { kind: 'member', id: memberId },
      detail: { factor: 'totp', replaced: member.totp_secret !== null },
    });
    return { recoveryCodes };
  });
}

/** Replaces the recovery codes. */
export function renewOwnRecoveryCodes(
  { db, audit }: CredentialDeps,
  session: MemberSession,
): Promise<{ recoveryCodes: string[] }> {
  return db.tx(async (tx) => {
    const { member_id: memberId, organization_id: organizationId } = await lockOwn(tx, session);
    const recoveryCodes = await renewRecoveryCodes(tx, memberId);
    await audit.write(tx, {
      organizationId,
      action: 'console.factor_changed',
      actor: { kind: 'member', id: memberId },
      detail: { factor: 'recovery_codes', replaced: true },
    });
    return { recoveryCodes };
  });
}

/** Locks the member of a session; throws 401 for one whose password was changed, or who was removed, meanwhile. */
export async function lockOwn(tx: Tx, session: MemberSession): Promise<statements.MemberRow> {
  const member = await maybeOne(tx, statements.lockCredential(session.subject, session.credentialId));
  if (!member) throw new Refusal(401, 'not_signed_in', { detail: 'Sign in first.' });
  return member;
}
