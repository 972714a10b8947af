import type { MemberSession } from '../../../../contract/audience.ts';
import type { OrganizationId } from '../../../../contract/brands.ts';
import type { SignInProvider } from '../../../../contract/console/sign-in-provider.ts';
import { maybeOne, type Queryable } from '../../../platform/db/db.ts';
import { forbidden, notFound } from '../../../platform/kernel/refusal.ts';
import { findOrganizationOrFirst, findOtherOrganization } from '../../organizations/organizations.sql.ts';
import type { MemberRow } from '../members.sql.ts';
import { unavailable, type OidcConfig, type OidcProvider } from './provider.ts';

type Login = Pick<MemberRow, 'organization_id' | 'is_joined'>;

const findOrganization = async (on: Queryable, config: OidcConfig): Promise<OrganizationId | null> =>
  (await maybeOne(on, findOrganizationOrFirst(config.organizationId as OrganizationId | null)))
    ?.organization_id ?? null;

/** Returns the organization whose members sign in at the provider: one, whose groups say nothing of any other. */
export async function findProviderOrganization(on: Queryable, config: OidcConfig): Promise<OrganizationId> {
  const organizationId = await findOrganization(on, config);
  if (organizationId === null) throw unavailable('CHARTGATE_OIDC_ORGANIZATION_ID names no organization');
  return organizationId;
}

/** Whether the members of an organization sign in at the identity provider. */
export async function hasProvider(
  on: Queryable,
  oidc: OidcProvider | null,
  organizationId: OrganizationId,
): Promise<boolean> {
  return oidc !== null && (await findProviderOrganization(on, oidc.config)) === organizationId;
}

/** Throws for a member of another organization than the one whose provider it is. */
export function requireSameOrganization(organizationId: OrganizationId, session: MemberSession): void {
  if (session.organizationId !== organizationId) throw notFound('An identity provider of your organization');
}

/** Returns what a page says of the provider to members of an organization, or to whoever is not signed in yet: null. */
export async function describeProvider(
  on: Queryable,
  oidc: OidcProvider | null,
  organizationId: OrganizationId | null,
): Promise<SignInProvider | null> {
  if (oidc === null) return null;
  const own = await findOrganization(on, oidc.config);
  if (organizationId !== null && own !== organizationId) return null;
  const { issuer, isOnly } = oidc.config;
  const isForEveryone = organizationId !== null || own === null || !(await hasOther(on, own));
  return { host: new URL(issuer).host, isOnly: isOnly && isForEveryone };
}

const hasOther = async (on: Queryable, organizationId: OrganizationId): Promise<boolean> =>
  (await maybeOne(on, findOtherOrganization(organizationId))) !== null;

/** Whether a member signs in at the provider and nowhere else: it is the only way, or they have joined their login there. */
export const isLetInElsewhere = async (
  on: Queryable,
  oidc: OidcProvider | null,
  { organization_id: organizationId, is_joined: isJoined }: Login,
): Promise<boolean> =>
  oidc !== null && (oidc.config.isOnly || isJoined) && hasProvider(on, oidc, organizationId);

/**
 * Throws `oidc_only` where nobody signs in by what is kept here, before it is asked who somebody is. Members of another
 * organization, which has no provider, do.
 */
export async function requireOwnWayIn(on: Queryable, oidc: OidcProvider | null): Promise<void> {
  if (oidc?.config.isOnly && !(await hasOther(on, await findProviderOrganization(on, oidc.config))))
    throw onlyThere();
}

/** Throws `oidc_only` for an organization whose members sign in at the provider alone. */
export async function requireOwnWay(
  on: Queryable,
  oidc: OidcProvider | null,
  organizationId: OrganizationId,
): Promise<void> {
  if (oidc?.config.isOnly && (await hasProvider(on, oidc, organizationId))) throw onlyThere();
}

const onlyThere = () => forbidden("Sign in with your organization's account.", 'oidc_only');

/** Throws for a member who signs in at the provider, by what is kept here: what it takes back must not be left here. */
export async function requireOwnLogin(
  on: Queryable,
  oidc: OidcProvider | null,
  member: Login,
): Promise<void> {
  await requireOwnWay(on, oidc, member.organization_id);
  await requireNotJoined(on, oidc, member);
}

/** Throws `use_oidc` for a member whom the provider lets in: neither password nor passkey of theirs proves anything. */
export async function requireNotJoined(
  on: Queryable,
  oidc: OidcProvider | null,
  { organization_id: organizationId, is_joined: isJoined }: Login,
): Promise<void> {
  if (isJoined && (await hasProvider(on, oidc, organizationId)))
    throw forbidden("Use your organization's account: it is joined with this login.", 'use_oidc');
}

/** Throws `use_oidc` in the session of such a member. */
export const requireSessionNotJoined = (
  on: Queryable,
  oidc: OidcProvider | null,
  { organizationId, isJoined }: MemberSession,
): Promise<void> => requireNotJoined(on, oidc, { organization_id: organizationId, is_joined: isJoined });
