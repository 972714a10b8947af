import type { CredentialId, Email } from '../../../contract/brands.ts';
import type { Audit } from '../../platform/audit/append.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import type { JobKind } from '../../platform/jobs/job-kind.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { generateSecret, hashSecret } from '../../platform/kernel/secret.ts';
import { MAIL_JOB, MAIL_RETRIES, type Mail } from '../../platform/mail/mail.ts';
import type { AccountLimits } from '../accounts/limits.ts';
import { requireStrongPassword } from '../accounts/password-rule.ts';
import { chooseLanguage, findMailSender } from '../organizations/mail-sender.ts';
import { findMember, findMemberByEmail, lockCredential, updateMemberPassword } from './members.sql.ts';
import { isLetInElsewhere, requireOwnLogin, requireOwnWayIn } from './oidc/provider-rule.ts';
import type { CredentialDeps } from './own-credentials.ts';
import { renderPasswordLinkMail } from './password-link-mail.ts';
import * as statements from './password-link.sql.ts';
import { deleteMemberSessions } from './sessions.sql.ts';
import type { SignInDeps } from './sign-in.ts';

const PASSWORD_LINK_JOB = 'member-password-link';

const LIFETIME_MS = 3_600_000;

interface Payload {
  email: Email;
}

interface RequestDeps extends Pick<SignInDeps, 'oidc'> {
  db: Db;
  jobs: Jobs;
  limits: Pick<AccountLimits, 'countLinkRequest' | 'countMail'>;
}

/**
 * Sees to it that whoever forgot their password gets a link. Whether the address is a member's is asked by the job, so that
 * neither the answer nor its time shows it.
 */
export async function requestPasswordLink(
  { db, jobs, limits, oidc }: RequestDeps,
  { email, address }: { email: Email; address: string },
): Promise<void> {
  await requireOwnWayIn(db, oidc);
  await limits.countLinkRequest(address);
  if (!(await limits.countMail(email))) return;
  await db.tx((tx) =>
    jobs.enqueue<Payload>(tx, { kind: PASSWORD_LINK_JOB, uniqueKey: generateId(), payload: { email } }),
  );
}

interface JobDeps extends Pick<SignInDeps, 'oidc'> {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  audit: Audit;
  baseUrl: string;
}

/** Creates the job that mails the link to a member, and nothing to anybody else. */
export const createPasswordLinkJob = ({
  db,
  clock,
  jobs,
  audit,
  baseUrl,
  oidc,
}: JobDeps): JobKind<Payload> => ({
  kind: PASSWORD_LINK_JOB,
  ...MAIL_RETRIES,
  async run({ email }) {
    await db.tx(async (tx) => {
      const member = await maybeOne(tx, findMemberByEmail(email));
      const sender = member && (await findMailSender(tx, member.organization_id));
      // Whom the identity provider lets in has no password to forget.
      if (!member || !sender || (await isLetInElsewhere(tx, oidc, member))) return;
      const { member_id: memberId, credential_id: credentialId, organization_id: organizationId } = member;
      const token = generateSecret('');
      await tx.query(
        statements.upsertPasswordLink({
          member_id: memberId,
          token_hash: hashSecret(token),
          credential_id: credentialId,
          expires_at: new Date(clock.now().getTime() + LIFETIME_MS),
        }),
      );
      await audit.write(tx, {
        organizationId,
        action: 'console.password_link_sent',
        actor: { kind: 'member', id: memberId },
      });
      // The secret stands behind the #, which a browser never sends: no server's log holds it.
      const url = `${baseUrl}/console/new-password#${token}`;
      const language = chooseLanguage(null, sender);
      await jobs.enqueue<Mail>(tx, {
        kind: MAIL_JOB,
        uniqueKey: generateId(),
        payload: {
          sentFor: { organizationId, name: 'member-password' },
          about: { memberId },
          ...renderPasswordLinkMail({ to: email, organization: sender.name, url, language }),
        },
      });
    });
  },
});

/**
 * Replaces a forgotten password, once. Every session of the member ends and none begins: they sign in with the new one, and
 * are asked for their second factor as ever.
 */
export async function choosePassword(
  { db, clock, audit, passwords, passwordRule, oidc }: CredentialDeps,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const tokenHash = hashSecret(token);
  const link = await maybeOne(db, statements.findPasswordLink(tokenHash, clock.now()));
  const member = link && (await maybeOne(db, findMember(link.member_id)));
  if (!member) throw invalidLink();
  await requireStrongPassword(passwordRule, password, { email: member.email, names: [member.name] });
  const passwordHash = await passwords.hash(password, member.member_id);
  await db.tx(async (tx) => {
    const used = await maybeOne(tx, statements.consumePasswordLink(tokenHash, clock.now()));
    const locked = used && (await maybeOne(tx, lockCredential(used.member_id, used.credential_id)));
    if (!locked) throw invalidLink();
    await requireOwnLogin(tx, oidc, locked);
    await tx.query(
      updateMemberPassword(used.member_id, { passwordHash, credentialId: generateId<CredentialId>() }),
    );
    await tx.query(deleteMemberSessions(used.member_id));
    await audit.write(tx, {
      organizationId: member.organization_id,
      action: 'console.password_changed',
      actor: { kind: 'member', id: used.member_id },
      detail: { by: 'link' },
    });
  });
}

/** Builds the same refusal for unknown, used, replaced and expired links. */
const invalidLink = (): Refusal =>
  new Refusal(404, 'link_invalid', {
    detail: 'This link is unknown, was used already, replaced or has expired; ask for a new one.',
  });
