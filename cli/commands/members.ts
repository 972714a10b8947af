import type { Command } from 'commander';
import { Email, toEmail, type OrganizationId } from '../../contract/brands.ts';
import { createInvitation, type Member } from '../../contract/organization/members.ts';
import { inviteMember, resetMember, type Deliver } from '../../server/identity/members/invitations.ts';
import { listMembers, type MemberManager } from '../../server/identity/members/manage-members.ts';
import { findMemberByEmail } from '../../server/identity/members/members.sql.ts';
import { maybeOne } from '../../server/platform/db/db.ts';
import { parse } from '../../server/platform/http/serve.ts';
import { notFound } from '../../server/platform/kernel/refusal.ts';
import { printResult } from '../with-db.ts';
import {
  addOrganizationCommand,
  OPERATOR,
  withOrganization,
  type OrganizationOptions,
} from '../with-organization.ts';

/** `chartgate members list|invite|reset`: for whoever is locked out of the console. No mail is sent: the secret is printed. */
export function configureMembersCommand(command: Command): void {
  const add = (name: string, description: string): Command =>
    addOrganizationCommand(command, name, description);
  add('list', 'list the members of an organization').action(list);
  add('invite', 'invite somebody to become a member; the secret is shown once')
    .argument('<email>', 'their e-mail address')
    .requiredOption('--role <role>', 'owner, admin, developer, researcher or auditor')
    .option('--project <id...>', 'limit a researcher to these projects')
    .action(invite);
  add('reset', 'let a member choose password and factor anew; the secret is shown once')
    .argument('<email>', 'their e-mail address')
    .action(reset);
}

const list = (options: OrganizationOptions): Promise<void> =>
  withOrganization(options, async ({ db }, { organizationId }) => {
    const { results } = await listMembers(db, organizationId, { limit: 1000, offset: 0 });
    printResult(
      options,
      { members: results },
      results.length === 0 ? ['There are no members.'] : results.map(formatMember),
    );
  });

async function invite(
  email: string,
  options: OrganizationOptions & { role: string; project?: string[] },
): Promise<void> {
  const { role, project = null } = options;
  const invited = parse(createInvitation.body, { email, role, projectIds: project }, '');
  await withOrganization(options, async (deps, { organizationId }) => {
    const { secret, deliver } = captureSecret();
    const invitation = await inviteMember(deps, toManager(organizationId), { invited, deliver });
    const token = secret();
    printResult(options, { ...invitation, token }, [
      `${invitation.email} may become ${invitation.role} until ${invitation.expiresAt}.`,
      ...explain(token, deps.config.http.baseUrl),
    ]);
  });
}

const reset = (email: string, options: OrganizationOptions): Promise<void> =>
  withOrganization(options, async (deps, { organizationId }) => {
    const member = await maybeOne(deps.db, findMemberByEmail(toEmail(parse(Email, email, 'email'))));
    if (!member || member.organization_id !== organizationId) throw notFound('The member');
    const { secret, deliver } = captureSecret();
    const command = { ...toManager(organizationId), memberId: member.member_id };
    const { expiresAt } = await resetMember(deps, command, deliver);
    const token = secret();
    printResult(options, { email: member.email, expiresAt, token }, [
      `${member.email} may choose password and factor anew until ${expiresAt}; until then the present ones stay.`,
      ...explain(token, deps.config.http.baseUrl),
    ]);
  });

const toManager = (organizationId: OrganizationId): MemberManager => ({
  organizationId,
  actor: OPERATOR,
  mayManageOwners: true,
});

/** Keeps the secret of an invitation to be printed, once its transaction is over. */
function captureSecret(): { secret(): string; deliver: Deliver } {
  let captured = '';
  return {
    secret: () => captured,
    deliver: async (_tx, { token }) => {
      captured = token;
    },
  };
}

const explain = (token: string, baseUrl: string): string[] => [
  '',
  'This link is shown once, and works once; hand it to them over a way that you trust:',
  `  ${baseUrl}/console/invitation#${token}`,
];

function formatMember({ id, email, name, role, hasFactor, lastSignedInAt }: Member): string {
  const factor = hasFactor ? 'second factor' : 'no second factor yet';
  const use = lastSignedInAt === null ? 'never signed in' : `signed in ${lastSignedInAt.slice(0, 10)}`;
  return `${email}  ${id}  ${role}, ${factor}, ${use}: ${name}`;
}
