import { Email, toEmail } from '../../../../contract/brands.ts';
import { PlainName } from '../../../../contract/organization/projects.ts';
import type { Role } from '../../../../contract/roles.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Identity } from './oidc.sql.ts';
import { findMappedRole, type RoleMapping } from './role-mapping.ts';

type Claims = Readonly<Record<string, unknown>>;

/** What the provider says of a person: in the ID token, which it signed, and at its UserInfo endpoint, where it has one. */
export interface ProviderAnswer {
  idToken: Claims & { iss: string; sub: string };
  userInfo: Claims | null;
}

/** Who somebody is, by the provider. */
export interface ProviderPerson {
  identity: Identity;
  /** null: no group of theirs has one. */
  role: Role | null;
  /** null: none that the provider has verified. */
  email: Email | null;
  /** null: none, or one that cannot be taken. */
  name: string | null;
}

/** OpenID Connect Core §2: `sub` has at most so many characters. */
const MAX_SUBJECT_LENGTH = 255;

export function readPerson(mapping: RoleMapping, { idToken, userInfo }: ProviderAnswer): ProviderPerson {
  if (!isSubject(idToken.sub)) throw badSubject();
  // What the provider signed counts before what it says besides.
  const claims = { ...userInfo, ...idToken };
  return {
    identity: { issuer: idToken.iss, subject: idToken.sub },
    role: findMappedRole(mapping, claims),
    email: readVerifiedEmail(saysVerified(idToken) ? idToken : (userInfo ?? idToken)),
    name: PlainName.safeParse(claims['name']).data ?? null,
  };
}

/** Two that the store would keep alike, as it does what is no character, would be one person. */
const isSubject = (sub: string): boolean =>
  sub.length > 0 && sub.length <= MAX_SUBJECT_LENGTH && sub.isWellFormed() && !/\p{Cc}/u.test(sub);

const saysVerified = ({ email_verified: isVerified }: Claims): boolean =>
  isVerified !== undefined && isVerified !== null;

/**
 * Returns the address that one answer names and says to be verified, never one of the ID token that UserInfo vouches for; null
 * for any other. Some providers (Amazon Cognito, Apple) send the text "true".
 */
function readVerifiedEmail({ email, email_verified: isVerified }: Claims): Email | null {
  if (typeof email !== 'string' || (isVerified !== true && isVerified !== 'true')) return null;
  const { data } = Email.safeParse(email.trim());
  return data === undefined ? null : toEmail(data);
}

const badSubject = (): Refusal =>
  new Refusal(403, 'bad_subject', {
    detail: `The identity provider names you (sub) by nothing, by more than ${MAX_SUBJECT_LENGTH} characters or by control characters; tell whoever runs it.`,
    reason: 'identity provider: sub is empty, too long, or holds control characters',
  });

export const noRole = (): Refusal =>
  new Refusal(403, 'no_role', {
    detail: 'None of your groups at the identity provider has a role here; ask whoever manages them.',
  });

export const emailUnverified = (): Refusal =>
  new Refusal(403, 'email_unverified', {
    detail: 'The identity provider has not verified your e-mail address.',
  });
