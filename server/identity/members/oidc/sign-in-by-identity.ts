import {
  Email,
  toEmail,
  type CredentialId,
  type MemberId,
  type OrganizationId,
} from '../../../../contract/brands.ts';
import { MAX_MEMBERS } from '../../../../contract/organization/members.ts';
import { PlainName } from '../../../../contract/organization/projects.ts';
import type { Role } from '../../../../contract/roles.ts';
import type { Audit } from '../../../platform/audit/append.ts';
import { maybeOne, one, type Db, type Tx } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { generatePassword, hashPassword } from '../../../platform/kernel/password.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { findOrganizationOrFirst, lockOrganization } from '../../organizations/organizations.sql.ts';
import { beginMemberSession } from '../member-session.ts';
import * as members from '../members.sql.ts';
import { deleteMemberSessions } from '../sessions.sql.ts';
import * as statements from './oidc.sql.ts';
import type { Claims, OidcConfig } from './provider.ts';
import { findMappedRole } from './role-mapping.ts';

export interface OidcSignInDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
}

interface Login {
  claims: Claims;
  device: string;
  session: string | null;
}

/** Who changes a role at a sign-in. */
const PROVIDER = { kind: 'system', id: 'identity-provider' } as const;

/**
 * Begins a session and returns its cookie. Who was here before gets the role of their groups now; who is new becomes a member
 * if a group has one. Whoever has none any more is refused, and their other sessions end.
 */
export async function signInByIdentity(
  deps: OidcSignInDeps,
  config: OidcConfig,
  { claims, device, session }: Login,
): Promise<string> {
  const identity = { issuer: claims.iss, subject: claims.sub };
  const role = findMappedRole(config.roles, claims);
  const owner = await maybeOne(deps.db, statements.findIdentityOwner(identity));
  requirePresent(owner);
  const person = { claims, role, identity };
  const newcomer = owner ? null : await prepareNewcomer(person);
  const cookie = await deps.db.tx(async (tx) => {
    const memberId = owner
      ? await refreshRole(tx, deps, { memberId: owner.member_id, role })
      : await admit(tx, deps, { config, identity, newcomer });
    const member = memberId && (await maybeOne(tx, members.findMember(memberId)));
    if (!member) return null;
    const { member_id: id, organization_id: organizationId, credential_id: credentialId } = member;
    await deps.audit.write(tx, {
      organizationId,
      action: 'console.signed_in',
      actor: { kind: 'member', id },
      detail: { factor: 'identity_provider' },
    });
    const now = deps.clock.now();
    return beginMemberSession(tx, {
      memberId: id,
      credentialId,
      device,
      now,
      previous: session,
      byProvider: true,
    });
  });
  if (cookie === null) throw noRole();
  return cookie;
}

function requirePresent(owner: { is_removed: boolean } | null): void {
  if (owner?.is_removed)
    throw new Refusal(403, 'member_removed', {
      detail: 'You were removed from the organization; ask an owner or admin to invite you.',
    });
}

const noRole = (): Refusal =>
  new Refusal(403, 'no_role', {
    detail: 'None of your groups at the identity provider has a role here; ask whoever manages them.',
  });

/** Gives a member the role of their groups; null, with their sessions ended, where they have none. */
async function refreshRole(
  tx: Tx,
  { audit }: OidcSignInDeps,
  { memberId, role }: { memberId: MemberId; role: Role | null },
): Promise<MemberId | null> {
  const known = await maybeOne(tx, members.findMember(memberId));
  if (!known) return null;
  const { organization_id: organizationId } = known;
  await tx.query(lockOrganization(organizationId));
  const member = await maybeOne(tx, members.lockMember(organizationId, memberId));
  if (!member) return null;
  if (role === null) {
    await tx.query(deleteMemberSessions(memberId));
    await audit.write(tx, {
      organizationId,
      action: 'console.sign_in_failed',
      actor: { kind: 'member', id: memberId },
      outcome: 'refused',
      detail: { factor: 'identity_provider', reason: 'no_role' },
    });
    return null;
  }
  if (role === member.role) return memberId;
  await tx.query(members.updateRole(memberId, { role, projectIds: null }));
  await tx.query(deleteMemberSessions(memberId));
  await audit.write(tx, {
    organizationId,
    action: 'member.changed',
    actor: PROVIDER,
    detail: { memberId, renamed: false, role, projectIds: null },
  });
  return memberId;
}

interface Newcomer {
  email: Email;
  name: string;
  role: Role;
  passwordHash: string;
}

/** Reads who a new person is; throws where no group of theirs has a role, or the provider has not verified their address. */
async function prepareNewcomer({ claims, role }: { claims: Claims; role: Role | null }): Promise<Newcomer> {
  if (role === null) throw noRole();
  const email = readVerifiedEmail(claims);
  const { data: name } = PlainName.safeParse(claims['name']);
  return {
    email,
    name: name ?? email,
    role,
    // Nobody knows it: they sign in at the provider.
    passwordHash: await hashPassword(generatePassword()),
  };
}

/** Returns the address that the provider has verified; throws `email_unverified` where it says nothing of it. */
export function readVerifiedEmail({ email, email_verified: isVerified }: Claims): Email {
  const { data } = Email.safeParse(typeof email === 'string' ? email.trim() : email);
  if (data !== undefined && isVerified === true) return toEmail(data);
  throw new Refusal(403, 'email_unverified', {
    detail: 'The identity provider has not verified your e-mail address.',
  });
}

async function admit(
  tx: Tx,
  deps: OidcSignInDeps,
  {
    config,
    identity,
    newcomer,
  }: { config: OidcConfig; identity: statements.Identity; newcomer: Newcomer | null },
): Promise<MemberId | null> {
  const organization = await maybeOne(
    tx,
    findOrganizationOrFirst(config.organizationId as OrganizationId | null),
  );
  if (!organization || !newcomer) return null;
  const { organization_id: organizationId } = organization;
  await tx.query(lockOrganization(organizationId));
  // Another browser of theirs may have been first: of six that came at once five were refused, as if somebody had their address.
  const sooner = await maybeOne(tx, statements.findIdentityOwner(identity));
  requirePresent(sooner);
  if (sooner) return refreshRole(tx, deps, { memberId: sooner.member_id, role: newcomer.role });
  if (await maybeOne(tx, members.findMemberByEmail(newcomer.email))) throw notJoined();
  if ((await one(tx, members.countMembers(organizationId))).total >= MAX_MEMBERS)
    throw new Refusal(409, 'too_many_members', {
      detail: `An organization has at most ${MAX_MEMBERS} members.`,
    });
  return insertNewcomer(tx, deps, { organizationId, identity, newcomer });
}

async function insertNewcomer(
  tx: Tx,
  { clock, audit }: OidcSignInDeps,
  {
    organizationId,
    identity,
    newcomer: { email, name, role, passwordHash },
  }: { organizationId: OrganizationId; identity: statements.Identity; newcomer: Newcomer },
): Promise<MemberId> {
  const memberId = generateId<MemberId>();
  const now = clock.now();
  const inserted = await maybeOne(
    tx,
    members.insertMember({
      member_id: memberId,
      organization_id: organizationId,
      email,
      name,
      role,
      project_ids: null,
      password_hash: passwordHash,
      credential_id: generateId<CredentialId>(),
      must_choose_password: false,
      created_at: now,
    }),
  );
  if (!inserted || !(await maybeOne(tx, statements.upsertIdentity(identity, memberId, now))))
    throw notJoined();
  await audit.write(tx, {
    organizationId,
    action: 'member.joined',
    actor: { kind: 'member', id: memberId },
    detail: { by: 'identity_provider', role },
  });
  return memberId;
}

const notJoined = (): Refusal =>
  new Refusal(409, 'not_joined', {
    detail:
      'A member has this e-mail address. Sign in as before, and join the two logins on the Profile page.',
  });
