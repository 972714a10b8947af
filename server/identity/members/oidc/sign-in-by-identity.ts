import type { MemberId, OrganizationId } from '../../../../contract/brands.ts';
import type { Audit } from '../../../platform/audit/append.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { lockOrganization } from '../../organizations/organizations.sql.ts';
import { beginMemberSession } from '../member-session.ts';
import { findMember } from '../members.sql.ts';
import { admitNewcomer, prepareNewcomer, type Newcomer } from './admit-newcomer.ts';
import { noRole, type ProviderPerson } from './claims.ts';
import { findIdentityOwner } from './oidc.sql.ts';
import { oidcFailed } from './provider.ts';
import { refreshMember } from './refresh-member.ts';

export interface OidcSignInDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
}

interface Login {
  /** The organization whose members sign in at the provider. */
  organizationId: OrganizationId;
  person: ProviderPerson;
  device: string;
  /** The cookie of the session that this browser had before. */
  session: string | null;
}

/**
 * Begins a session and returns its cookie. Who was here before gets the role of their groups now; who is new becomes a member
 * if a group has one. Whoever has none any more is refused, and their other sessions end.
 */
export async function signInByIdentity(
  deps: OidcSignInDeps,
  { organizationId, person, device, session }: Login,
): Promise<string> {
  const owner = await maybeOne(deps.db, findIdentityOwner(person.identity, organizationId));
  const newcomer = owner && !owner.is_removed ? null : await prepareNewcomer(person);
  const cookie = await deps.db.tx(async (tx) => {
    await tx.query(lockOrganization(organizationId));
    const memberId = await findOrAdmit(tx, deps, { organizationId, person, newcomer });
    const member = memberId && (await maybeOne(tx, findMember(memberId)));
    if (!member) return null;
    const { member_id: id, credential_id: credentialId } = member;
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

/** Returns who the person is here; null for a member whom no group of theirs lets in any more. */
async function findOrAdmit(
  tx: Tx,
  deps: OidcSignInDeps,
  {
    organizationId,
    person,
    newcomer,
  }: Pick<Login, 'organizationId' | 'person'> & { newcomer: Newcomer | null },
): Promise<MemberId | null> {
  // Another browser of theirs may have been first: six that came at once got "somebody has your address".
  const owner = await maybeOne(tx, findIdentityOwner(person.identity, organizationId));
  if (owner && !owner.is_removed) {
    const { member_id: memberId } = owner;
    return (await refreshMember(tx, deps, { organizationId, memberId, person, kept: null }))
      ? memberId
      : null;
  }
  if (!newcomer) throw oidcFailed('the member was changed meanwhile');
  return admitNewcomer(tx, deps, { organizationId, newcomer, wasRemoved: owner !== null });
}
