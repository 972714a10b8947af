import type { CredentialId, Email, MemberId, OrganizationId } from '../../../../contract/brands.ts';
import { MAX_MEMBERS } from '../../../../contract/organization/members.ts';
import type { Role } from '../../../../contract/roles.ts';
import type { Audit } from '../../../platform/audit/append.ts';
import { maybeOne, one, type Tx } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { generatePassword, hashPassword } from '../../../platform/kernel/password.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { consumeInvitationTo } from '../invitations.sql.ts';
import * as members from '../members.sql.ts';
import { emailUnverified, noRole, type ProviderPerson } from './claims.ts';
import * as statements from './oidc.sql.ts';

interface Deps {
  clock: Clock;
  audit: Audit;
}

/** Who may become a member. */
export interface Newcomer {
  identity: statements.Identity;
  email: Email;
  name: string;
  role: Role;
  passwordHash: string;
}

/** Reads who a new person is; throws where no group of theirs has a role, or the provider has not verified their address. */
export async function prepareNewcomer({ identity, role, email, name }: ProviderPerson): Promise<Newcomer> {
  if (role === null) throw noRole();
  if (email === null) throw emailUnverified();
  // Nobody knows the password: they sign in at the provider.
  const passwordHash = await hashPassword(generatePassword());
  return { identity, email, name: name ?? email, role, passwordHash };
}

interface Admission {
  organizationId: OrganizationId;
  newcomer: Newcomer;
  /** They were a member, and were removed. */
  wasRemoved: boolean;
}

/**
 * Makes a member of a new person, in a transaction that has locked the organization. An invitation of their address is used up by
 * it, and the projects that it names limit them. Whoever was removed here comes back by one alone.
 */
export async function admitNewcomer(
  tx: Tx,
  deps: Deps,
  { organizationId, newcomer, wasRemoved }: Admission,
): Promise<MemberId> {
  const holder = await maybeOne(tx, members.findMemberByEmail(newcomer.email));
  if (holder) throw holder.organization_id === organizationId ? notJoined() : addressTaken();
  const invitation = await maybeOne(
    tx,
    consumeInvitationTo(organizationId, newcomer.email, deps.clock.now()),
  );
  if (wasRemoved && !invitation) throw memberRemoved();
  if ((await one(tx, members.countMembers(organizationId))).total >= MAX_MEMBERS)
    throw new Refusal(409, 'too_many_members', {
      detail: `An organization has at most ${MAX_MEMBERS} members.`,
    });
  const limit = invitation?.project_ids ?? null;
  const memberId = await insertNewcomer(tx, deps, { organizationId, newcomer, limit });
  await deps.audit.write(tx, {
    organizationId,
    action: 'member.joined',
    actor: { kind: 'member', id: memberId },
    detail: {
      by: 'identity_provider',
      role: newcomer.role,
      ...(invitation && { invitationId: invitation.invitation_id }),
    },
  });
  return memberId;
}

async function insertNewcomer(
  tx: Tx,
  { clock }: Deps,
  {
    organizationId,
    newcomer: { identity, email, name, role, passwordHash },
    limit,
  }: Pick<Admission, 'organizationId' | 'newcomer'> & { limit: members.MemberRow['project_ids'] },
): Promise<MemberId> {
  const memberId = generateId<MemberId>();
  const now = clock.now();
  const isLimited = role === 'researcher';
  const inserted = await maybeOne(
    tx,
    members.insertMember({
      member_id: memberId,
      organization_id: organizationId,
      email,
      name,
      role,
      project_ids: isLimited ? limit : null,
      password_hash: passwordHash,
      credential_id: generateId<CredentialId>(),
      must_choose_password: false,
      created_at: now,
    }),
  );
  if (!inserted) throw notJoined();
  if (!isLimited && limit) await tx.query(members.updateKeptProjects(memberId, limit));
  const identified = statements.upsertIdentity({ identity, organizationId, memberId, now });
  if (!(await maybeOne(tx, identified))) throw notJoined();
  return memberId;
}

const notJoined = (): Refusal =>
  new Refusal(409, 'not_joined', {
    detail:
      'A member has this e-mail address. If it is you, sign in as before, and join the two logins on the Profile page, or have whoever runs the service reset your login; if somebody else had the address before you, ask an owner or admin to remove the former member.',
  });

const addressTaken = (): Refusal =>
  new Refusal(409, 'address_taken', {
    detail:
      'Your e-mail address signs in to another organization, which has no identity provider here: sign in to it with your password.',
  });

const memberRemoved = (): Refusal =>
  new Refusal(403, 'member_removed', {
    detail: 'You were removed from the organization; ask an owner or admin to invite you.',
  });
