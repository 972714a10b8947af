import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import * as contract from '../../../contract/console/console.ts';
import type { MemberSession } from '../../../contract/audience.ts';
import * as invitations from '../../../contract/console/invitations.ts';
import * as sessions from '../../../contract/console/sessions.ts';
import { toEmail, type MemberId } from '../../../contract/brands.ts';
import { maybeOne } from '../../platform/db/db.ts';
import { consumeOrThrow } from '../../platform/http/rate-limit.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import { notFound } from '../../platform/kernel/refusal.ts';
import { describeDevice } from '../accounts/device.ts';
import type { AccountLimits } from '../accounts/limits.ts';
import type { RelyingParty } from '../accounts/passkeys/relying-party.ts';
import { hashKey } from '../tokens/stored-limiter.ts';
import { acceptInvitation, openInvitation } from './accept-invitation.ts';
import { confirmPresence } from './confirm-presence.ts';
import { memberLife, endMemberSession, resolveMemberSession } from './member-session.ts';
import { findMember, findProofs } from './members.sql.ts';
import {
  activateTotp,
  beginTotp,
  changeMemberPassword,
  changeOwnName,
  renewOwnRecoveryCodes,
  type CredentialDeps,
} from './own-credentials.ts';
import { choosePassword, requestPasswordLink } from './password-link.ts';
import { registerOidcRoutes } from './oidc/oidc.route.ts';
import { describeProvider } from './oidc/provider-rule.ts';
import { registerMemberPasskeyRoutes } from './passkeys/passkeys.route.ts';
import { deleteMemberSessionById, deleteMemberSessions, findMemberSessions } from './sessions.sql.ts';
import { signInMember } from './sign-in.ts';

export interface ConsoleDeps extends CredentialDeps {
  jobs: Jobs;
  limits: Pick<AccountLimits, 'guardLink' | 'countLinkRequest' | 'countMail' | 'countChallenge'>;
  party: RelyingParty | null;
  /** No mail server is configured. */
  keepsMails: boolean;
  /** Wrong first codes of a new authenticator app. */
  activationLimit: RateLimiterPostgres;
}

/** Registers signing in to the console, and what members do with their own credentials. */
export function registerConsoleRoutes(routes: Routes, deps: ConsoleDeps): void {
  serve(routes, contract.getConsoleSession, async ({ caller, browserContext }) => ({
    csrfToken: browserContext.csrfToken,
    member: caller && {
      id: caller.subject,
      email: caller.email,
      name: caller.name,
      role: caller.role,
      projectIds: caller.projectIds && [...caller.projectIds],
      ...(await describeLogin(deps, caller)),
    },
    organization: caller && {
      id: caller.organizationId,
      name: caller.organizationName,
      timeZone: caller.timeZone,
    },
    setup: caller ? [...caller.setup] : [],
    oidc: await describeProvider(deps.db, deps.oidc, caller?.organizationId ?? null),
    keepsMails: deps.keepsMails,
    isConfirmed: caller?.isConfirmed ?? false,
  }));
  registerSignIn(routes, deps);
  registerInvitations(routes, deps);
  registerForgottenPassword(routes, deps);
  registerCredentials(routes, deps);
  registerSessions(routes, deps);
  registerMemberPasskeyRoutes(routes, deps);
  registerOidcRoutes(routes, deps);
}

/** Describes where a member signs in, and what they can prove to be present by, for the member alone. */
async function describeLogin(
  deps: Pick<ConsoleDeps, 'db' | 'party' | 'oidc'>,
  { subject, organizationId, isJoined }: MemberSession,
): Promise<{ isJoined: boolean; proofs: contract.PresenceProof[] }> {
  if (isJoined && (await describeProvider(deps.db, deps.oidc, organizationId)))
    return { isJoined, proofs: ['identity_provider'] };
  return { isJoined: false, proofs: await listProofs(deps, subject) };
}

async function listProofs(
  { db, party }: Pick<ConsoleDeps, 'db' | 'party'>,
  memberId: MemberId,
): Promise<contract.PresenceProof[]> {
  const { has_code: hasCode, has_passkey: hasPasskey } = (await maybeOne(db, findProofs(memberId))) ?? {};
  return [
    ...(hasCode ? (['code'] as const) : []),
    ...(hasPasskey && party ? (['passkey'] as const) : []),
    'password',
  ];
}

/** Returns what the member of a new session must choose first. */
async function getSetup(deps: ConsoleDeps, cookie: string): Promise<{ setup: ('password' | 'factor')[] }> {
  const session = await resolveMemberSession(deps, cookie);
  return { setup: session ? [...session.setup] : [] };
}

function registerSignIn(routes: Routes, deps: ConsoleDeps): void {
  serve(routes, contract.signInToConsole, async ({ body, address, requestId, browserContext }) => {
    const { session, userAgent } = browserContext;
    const { email, password, code } = body;
    const login = { email: toEmail(email.trim()), password, code, address, requestId };
    const cookie = await signInMember(deps, { ...login, device: describeDevice(userAgent), session });
    browserContext.setSession(cookie);
    return getSetup(deps, cookie);
  });
  serve(routes, contract.signOutOfConsole, async ({ browserContext }) => {
    const { db, audit } = deps;
    await db.tx(async (tx) => {
      const memberId = await endMemberSession(tx, browserContext.session);
      const member = memberId && (await maybeOne(tx, findMember(memberId)));
      if (!member) return;
      await audit.write(tx, {
        organizationId: member.organization_id,
        action: 'console.signed_out',
        actor: { kind: 'member', id: member.member_id },
      });
    });
    browserContext.setSession(null);
    return undefined;
  });
}

function registerInvitations(routes: Routes, deps: ConsoleDeps): void {
  const { limits } = deps;
  serve(routes, invitations.openInvitation, ({ body, address }) =>
    limits.guardLink(address, () => openInvitation(deps, body.token)),
  );
  serve(routes, invitations.acceptInvitation, async ({ body, address, browserContext }) => {
    await limits.guardLink(address, () => openInvitation(deps, body.token));
    const { session, userAgent } = browserContext;
    const { token, password, name } = body;
    const cookie = await acceptInvitation(deps, {
      token,
      password,
      name,
      session,
      device: describeDevice(userAgent),
    });
    browserContext.setSession(cookie);
    return getSetup(deps, cookie);
  });
}

function registerForgottenPassword(routes: Routes, deps: ConsoleDeps): void {
  serve(routes, contract.forgottenConsolePassword, async ({ body, address }) => {
    await requestPasswordLink(deps, { email: toEmail(body.email.trim()), address });
    return { status: 'sent' as const };
  });
  serve(routes, contract.chooseConsolePassword, async ({ body, address }) => {
    await deps.limits.guardLink(address, () => choosePassword(deps, body));
    return undefined;
  });
}

function registerCredentials(routes: Routes, deps: ConsoleDeps): void {
  serve(
    routes,
    contract.confirmPresence,
    async ({ caller: session, body: proof, address, requestId, browserContext: { browser } }) => {
      await confirmPresence(deps, { session, browser, address, requestId, proof });
      return undefined;
    },
  );
  serve(routes, contract.changeOwnName, async ({ caller, body: { name } }) => {
    await changeOwnName(deps, caller, name);
    return undefined;
  });
  serve(
    routes,
    contract.changeConsolePassword,
    async ({ caller: session, body, address, requestId, browserContext }) => {
      const device = describeDevice(browserContext.userAgent);
      browserContext.setSession(
        await changeMemberPassword(deps, {
          session,
          address,
          requestId,
          device,
          name: undefined,
          ...body,
        }),
      );
      return undefined;
    },
  );
  serve(routes, contract.beginTotp, ({ caller }) => beginTotp(deps, caller));
  serve(routes, contract.activateTotp, async ({ caller, body }) => {
    await consumeOrThrow(deps.activationLimit, hashKey(caller.subject), 'too_many_attempts');
    return activateTotp(deps, caller, body.code);
  });
  serve(routes, contract.renewRecoveryCodes, ({ caller }) => renewOwnRecoveryCodes(deps, caller));
}

function registerSessions(routes: Routes, { db, clock, audit }: ConsoleDeps): void {
  serve(routes, sessions.listConsoleSessions, async ({ caller: { subject, sessionId } }) => {
    const rows = await db.query(findMemberSessions(subject, sessionId, clock.now()));
    return {
      sessions: rows.map(memberLife.toSessionDto),
    };
  });
  const toEntry = ({ subject, organizationId }: MemberSession) => ({
    organizationId,
    action: 'console.session_ended' as const,
    actor: { kind: 'member' as const, id: subject },
  });
  serve(routes, sessions.endConsoleSession, async ({ caller, body: { id } }) => {
    await db.tx(async (tx) => {
      if (!(await maybeOne(tx, deleteMemberSessionById(caller.subject, id)))) throw notFound('The session');
      await audit.write(tx, toEntry(caller));
    });
    return undefined;
  });
  serve(routes, sessions.endOtherConsoleSessions, async ({ caller }) => {
    await db.tx(async (tx) => {
      const ended = await tx.query(deleteMemberSessions(caller.subject, caller.sessionId));
      if (ended.length > 0)
        await audit.writeAll(
          tx,
          ended.map(() => toEntry(caller)),
        );
    });
    return undefined;
  });
}
