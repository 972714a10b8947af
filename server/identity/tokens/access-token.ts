import { errors, jwtVerify, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { TokenCaller, PatientCaller } from '../../../contract/audience.ts';
import { canonicalizeUrl, listBaseUrlAliases } from '../../platform/http/base-url.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { unauthorized } from '../../platform/kernel/refusal.ts';
import { toCaller, Claims, GrantClaims, toGrantCaller } from './claims.ts';
import type { SigningKeys } from '../../platform/keys/signing-keys.ts';

/** Seconds; also the `expires_in` of OAuth. */
export const TOKEN_LIFETIME_SECONDS = 3600;

/** Whose credentials were right. */
export interface VerifiedLogin {
  claims: Claims;
  /** When what was proved ends: the key, or a secret that was rotated; null: no end is known. */
  endsAt: Date | null;
}

/** `issuer` is our base URL under the name that the client called, as the metadata have it (RFC 8414 §3.3). */
export interface AccessTokens {
  /** Issues a token of `POST /v1/auth/token`, which ends with what it was obtained with. */
  issue(login: VerifiedLogin, issuer: string): Promise<{ token: string; expiration: number }>;
  /** Issues an OAuth access token (RFC 9068) for one resource. */
  issueForGrant(resource: string, claims: GrantClaims, issuer: string): Promise<string>;
  /**
   * Returns the caller whom a token represents; throws `unauthorized` when another issuer signed it, its audience is
   * another resource, it has expired or it was revoked. `resourcePath`: the path of an endpoint that takes OAuth
   * tokens, null for all others. `checkedByHandler`: whether it was revoked is left to the handler, see `requireInForce`.
   */
  verify(token: string, resourcePath: string | null, checkedByHandler: boolean): Promise<TokenCaller>;
  /** Throws `unauthorized` when the caller's token was revoked, or has expired by the store's clock. */
  requireInForce(caller: PatientCaller): Promise<void>;
  /** Returns the claims of an OAuth access token that this service issued, expired or not; null for anything else. */
  readGrantClaims(token: string): Promise<GrantClaims | null>;
}

interface Deps {
  keys: SigningKeys;
  clock: Clock;
  /** As configured; tokens may name an alias of it as issuer and audience. */
  baseUrl: string;
  /** Called at every use of an OAuth token, because any node may have revoked its grant. */
  isGrantUsable(grant: Pick<GrantClaims, 'sub' | 'gid'>, expiresAt: Date): Promise<boolean>;
  /** Called at every use of a token of `POST /v1/auth/token`: its password or key may have changed since. */
  isCredentialCurrent(caller: TokenCaller, expiresAt: Date): Promise<boolean>;
}

/** Limits the tokens whose verified signature is remembered; what they permit is read from the store on every call. */
const MAX_CACHED_TOKENS = 10_000;
/** Seconds after which a signature is verified again, so that the tokens of a retired key stop working with it. */
const CACHE_SECONDS = 60;

/**
 * The token type of RFC 9068 §2.1; tokens of `POST /v1/auth/token` have the type JWT, so that neither passes for the
 * other.
 */
const ACCESS_TOKEN_TYPE = 'at+jwt';

export function createAccessTokens(deps: Deps): AccessTokens {
  const { keys, clock, baseUrl } = deps;
  const verified = new LRUCache<string, { checked: CheckedToken; until: number }>({ max: MAX_CACHED_TOKENS });
  const nowInSeconds = (): number => Math.floor(clock.now().getTime() / 1000);
  const sign = async (
    payload: JWTPayload & { iss: string; aud: string },
    typ: string,
    endsAt: Date | null,
  ) => {
    const { kid, key } = await keys.getCurrentKey();
    const iat = nowInSeconds();
    const latest = iat + TOKEN_LIFETIME_SECONDS;
    const exp = endsAt === null ? latest : Math.min(latest, Math.floor(endsAt.getTime() / 1000));
    const token = await new SignJWT({ ...payload, iat, exp })
      .setProtectedHeader({ alg: 'ES256', kid, typ })
      .sign(key);
    return { token, expiration: exp };
  };

  async function check(token: string): Promise<CheckedToken> {
    const known = verified.get(token);
    if (known && known.until > nowInSeconds()) return known.checked;
    const checked = checkClaims(await verifyPayload({ keys, baseUrl, now: clock.now() }, token), baseUrl);
    const expires = checked.expiresAt.getTime() / 1000;
    verified.set(token, { checked, until: Math.min(expires, nowInSeconds() + CACHE_SECONDS) });
    return checked;
  }

  return {
    issue: ({ claims, endsAt }, issuer) => sign({ ...claims, iss: issuer, aud: issuer }, 'JWT', endsAt),
    issueForGrant: async (resource, claims, issuer) =>
      (await sign({ ...claims, iss: issuer, aud: resource }, ACCESS_TOKEN_TYPE, null)).token,
    async verify(token, resourcePath, checkedByHandler) {
      const { audience, caller, grant, expiresAt } = await refuseTokenErrors(() => check(token));
      if (grant ? resourcePath === null || audience !== baseUrl + resourcePath : audience !== baseUrl)
        throw unauthorized();
      if (!checkedByHandler) await requireInForce(deps, caller, expiresAt);
      return caller;
    },
    requireInForce: (caller) => requireInForce(deps, caller, caller.tokenExpiresAt),
    async readGrantClaims(token) {
      try {
        const issued = parseIssuedAt(token);
        const payload = await verifyPayload({ keys, baseUrl, now: issued }, token);
        return checkClaims(payload, baseUrl).grant;
      } catch (error) {
        if (isTokenError(error)) return null;
        throw error;
      }
    },
  };
}

async function requireInForce(
  { isGrantUsable, isCredentialCurrent }: Pick<Deps, 'isGrantUsable' | 'isCredentialCurrent'>,
  caller: TokenCaller,
  expiresAt: Date,
): Promise<void> {
  const isInForce =
    caller.kind === 'patient' && caller.grantId !== null
      ? await isGrantUsable({ sub: caller.patientId, gid: caller.grantId }, expiresAt)
      : await isCredentialCurrent(caller, expiresAt);
  if (!isInForce) throw unauthorized();
}

interface CheckedToken {
  caller: TokenCaller;
  /** Under the configured name of the base URL, whatever name the client called. */
  audience: string;
  /** The claims of an OAuth token; null for a token of `POST /v1/auth/token`. */
  grant: GrantClaims | null;
  expiresAt: Date;
}

interface VerifiedPayload {
  typ: string | undefined;
  payload: JWTPayload;
}

async function verifyPayload(
  { keys, baseUrl, now }: { keys: SigningKeys; baseUrl: string; now: Date },
  token: string,
): Promise<VerifiedPayload> {
  const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => getVerifyingKey(keys, kid), {
    issuer: listBaseUrlAliases(baseUrl),
    algorithms: ['ES256'],
    requiredClaims: ['exp', 'iat', 'sub', 'aud'],
    currentDate: now,
  });
  return { typ: protectedHeader.typ, payload };
}

/** Requires a single audience, a lifetime within the limit, and the claims that the token's type has. */
function checkClaims({ typ, payload }: VerifiedPayload, baseUrl: string): CheckedToken {
  const { aud, exp = 0, iat = 0 } = payload;
  if (typeof aud !== 'string' || exp - iat > TOKEN_LIFETIME_SECONDS)
    throw new errors.JWTInvalid('not issued by this service');
  const expiresAt = new Date(exp * 1000);
  const audience = canonicalizeUrl(baseUrl, aud);
  if (typ === ACCESS_TOKEN_TYPE) {
    const grant = GrantClaims.parse(payload);
    return { caller: toGrantCaller(grant, expiresAt), audience, grant, expiresAt };
  }
  if (typ !== 'JWT') throw new errors.JWTInvalid('unknown type');
  return { caller: toCaller(Claims.parse(payload), expiresAt), audience, grant: null, expiresAt };
}

async function getVerifyingKey(keys: SigningKeys, kid: string | undefined): Promise<CryptoKey> {
  const key = kid === undefined ? null : await keys.findPublishedKey(kid);
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key;
}

const Issued = z.object({ iat: z.number().min(0).max(1e11) });

/**
 * Returns the time at which a token claims to have been issued, when even a token that has expired since was valid. The
 * signature, which is verified afterwards, proves the claim.
 */
function parseIssuedAt(token: string): Date {
  const [, payload = ''] = token.split('.');
  const { iat } = Issued.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  return new Date(iat * 1000);
}

async function refuseTokenErrors<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (isTokenError(error)) throw unauthorized();
    throw error;
  }
}

/** True for errors that a bad token causes, as opposed to faults of this service. */
const isTokenError = (error: unknown): boolean =>
  error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof z.ZodError;
