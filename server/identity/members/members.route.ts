import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { Email } from '../../../contract/brands.ts';
import * as contract from '../../../contract/organization/members.ts';
import { toActor } from '../../platform/audit/append.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { notFound, Refusal } from '../../platform/kernel/refusal.ts';
import { MAIL_JOB, type Mail } from '../../platform/mail/mail.ts';
import { maybeOne } from '../../platform/db/db.ts';
import { chooseLanguage, findMailSender } from '../organizations/mail-sender.ts';
import { renderInvitationMail } from './invitation-mail.ts';
import { inviteMember, listInvitations, resetMember, revokeInvitation, type Deliver } from './invitations.ts';
import {
  listMembers,
  removeMember,
  updateMember,
  type MemberDeps,
  type MemberManager,
} from './manage-members.ts';
import { findMember } from './members.sql.ts';
import type { OidcProvider } from './oidc/provider.ts';
import { describeProvider, requireOwnWay } from './oidc/provider-rule.ts';

interface Deps extends MemberDeps {
  jobs: Jobs;
  /** Where members of one organization sign in instead; null: nowhere else. */
  oidc: OidcProvider | null;
  baseUrl: string;
  /** Counts a mail and returns whether it may be sent. */
  countMail(email: Email): Promise<boolean>;
}

/** Registers the endpoints for an organization's members and invitations. */
export function registerMemberRoutes(routes: Routes, deps: Deps): void {
  const { db, clock, countMail } = deps;
  const deliver = createMailDelivery(deps);
  const requireMailTo = async (email: Email): Promise<void> => {
    if (!(await countMail(email)))
      throw new Refusal(429, 'too_many_mails', { detail: 'This address got three mails within an hour.' });
  };
  serve(routes, contract.listMembers, ({ params: { orgId }, query }) => listMembers(db, orgId, query));
  serve(routes, contract.updateMember, ({ params: { memberId }, caller, body }) =>
    updateMember(deps, { ...toManager(caller), memberId }, body),
  );
  serve(routes, contract.removeMember, async ({ params: { memberId }, caller }) => {
    await removeMember(deps, { ...toManager(caller), memberId });
    return undefined;
  });
  serve(routes, contract.resetMember, async ({ params: { memberId }, caller }) => {
    const member = await maybeOne(db, findMember(memberId));
    if (!member || member.organization_id !== caller.organizationId) throw notFound('The member');
    // The link would be refused.
    await requireOwnWay(db, deps.oidc, caller.organizationId);
    await requireMailTo(member.email);
    const { expiresAt } = await resetMember(deps, { ...toManager(caller), memberId }, deliver);
    return { status: 'sent' as const, expiresAt };
  });
  serve(routes, contract.createInvitation, async ({ caller, body: invited }) => {
    await requireMailTo(invited.email);
    return inviteMember(deps, toManager(caller), { invited, deliver });
  });
  serve(routes, contract.listInvitations, ({ params: { orgId }, query }) =>
    listInvitations(db, orgId, { ...query, now: clock.now() }),
  );
  serve(routes, contract.revokeInvitation, async ({ params: { invitationId }, caller }) => {
    await revokeInvitation(deps, toManager(caller), invitationId);
    return undefined;
  });
}

/** An API key manages members as an admin does: everybody but owners. */
const toManager = (caller: OrganizationCaller): MemberManager => ({
  organizationId: caller.organizationId,
  actor: toActor(caller),
  mayManageOwners: caller.role === 'owner',
});

/** Mails the secret of an invitation, in the transaction that makes it. */
const createMailDelivery =
  ({ jobs, baseUrl, oidc }: Pick<Deps, 'jobs' | 'baseUrl' | 'oidc'>): Deliver =>
  async (tx, { email, token, expiresAt, isReset, organizationId }) => {
    const sender = await findMailSender(tx, organizationId);
    if (!sender) return;
    const language = chooseLanguage(null, sender);
    const organization = sender.name;
    const provider = await describeProvider(tx, oidc, organizationId);
    await jobs.enqueue<Mail>(tx, {
      kind: MAIL_JOB,
      uniqueKey: generateId(),
      payload: {
        sentFor: { organizationId, name: isReset ? 'member-reset' : 'member-invited' },
        ...renderInvitationMail({
          to: email,
          token,
          expiresAt,
          isReset,
          providerHost: provider?.isOnly ? provider.host : null,
          organization,
          baseUrl,
          language,
        }),
      },
    });
  };
