import { errors, jwtVerify, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Caller } from '../../contract/audience.ts';
import type { Clock } from '../kernel/clock.ts';
import { unauthorized } from '../kernel/refusal.ts';
import { callerOf, Claims, GrantClaims, callerOfGrant } from './claims.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Seconds; also the `expires_in` of OAuth. */
export const TOKEN_LIFETIME = 3600;

export interface AccessTokens {
  /** A token of `POST /v1/auth/token`. */
  issue(claims: Claims): Promise<{ token: string; expiration: number }>;
  /** An OAuth access token (RFC 9068) for one resource. */
  issueForGrant(resource: string, claims: GrantClaims): Promise<string>;
  /**
   * Who a token speaks for; throws `unauthorized` for one that is not ours, not for here, over or revoked.
   * `resourcePath`: of an endpoint that takes OAuth tokens.
   */
  verify(token: string, resourcePath: string | null): Promise<Caller>;
  /** The grant of an OAuth access token of ours, expired or not; null for anything else. */
  grantOf(token: string): Promise<GrantClaims | null>;
}

interface Deps {
  keys: SigningKeys;
  clock: Clock;
  /** Issuer, and audience of tokens of `POST /v1/auth/token`. */
  baseUrl: string;
  /** Asked on every use of an OAuth token: its grant may have been revoked, on any node. */
  grantIsUsable(claims: GrantClaims): Promise<boolean>;
}

/** Tokens whose signature was checked before; what they permit is asked of the store on every call. */
const REMEMBERED = 10_000;
/** Seconds after which a signature is checked again, so that a retired key's tokens end with it. */
const REMEMBERED_SECONDS = 60;

/** RFC 9068 §2.1; tokens of `POST /v1/auth/token` are of type JWT, so that neither passes for the other. */
const GRANT_TYPE = 'at+jwt';

export function accessTokens({ keys, clock, baseUrl, grantIsUsable }: Deps): AccessTokens {
  const verified = new LRUCache<string, { checked: Checked; until: number }>({ max: REMEMBERED });
  const seconds = (): number => Math.floor(clock.now().getTime() / 1000);
  const sign = async (payload: JWTPayload, { typ, audience }: { typ: string; audience: string }) => {
    const { kid, key } = await keys.current();
    const iat = seconds();
    const expiration = iat + TOKEN_LIFETIME;
    const token = await new SignJWT({ ...payload, iss: baseUrl, aud: audience, iat, exp: expiration })
      .setProtectedHeader({ alg: 'ES256', kid, typ })
      .sign(key);
    return { token, expiration };
  };

  async function check(token: string): Promise<Checked> {
    const known = verified.get(token);
    if (known && known.until > seconds()) return known.checked;
    const checked = checkedClaims(await verifiedPayload({ keys, baseUrl, now: clock.now() }, token));
    verified.set(token, { checked, until: Math.min(checked.expires, seconds() + REMEMBERED_SECONDS) });
    return checked;
  }

  return {
    issue: (claims) => sign(claims, { typ: 'JWT', audience: baseUrl }),
    issueForGrant: async (resource, claims) =>
      (await sign(claims, { typ: GRANT_TYPE, audience: resource })).token,
    async verify(token, resourcePath) {
      const { audience, caller, grant } = await refusingFaults(() => check(token));
      if (grant ? resourcePath === null || audience !== baseUrl + resourcePath : audience !== baseUrl)
        throw unauthorized();
      if (grant && !(await grantIsUsable(grant))) throw unauthorized();
      return caller;
    },
    async grantOf(token) {
      try {
        const issued = claimedTime(token);
        const payload = await verifiedPayload({ keys, baseUrl, now: issued }, token);
        return checkedClaims(payload).grant;
      } catch (error) {
        if (isFault(error)) return null;
        throw error;
      }
    },
  };
}

interface Checked {
  caller: Caller;
  audience: string;
  /** Of an OAuth token. */
  grant: GrantClaims | null;
  expires: number;
}

interface Verified {
  typ: string | undefined;
  payload: JWTPayload;
}

async function verifiedPayload(
  { keys, baseUrl, now }: { keys: SigningKeys; baseUrl: string; now: Date },
  token: string,
): Promise<Verified> {
  const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => keyFor(keys, kid), {
    issuer: baseUrl,
    algorithms: ['ES256'],
    requiredClaims: ['exp', 'iat', 'sub', 'aud'],
    currentDate: now,
  });
  return { typ: protectedHeader.typ, payload };
}

/** One audience, a lifetime of ours, and the claims that the token's type has. */
function checkedClaims({ typ, payload }: Verified): Checked {
  const { aud, exp = 0, iat = 0 } = payload;
  if (typeof aud !== 'string' || exp - iat > TOKEN_LIFETIME)
    throw new errors.JWTInvalid('not a token of ours');
  if (typ === GRANT_TYPE) {
    const grant = GrantClaims.parse(payload);
    return { caller: callerOfGrant(grant), audience: aud, grant, expires: exp };
  }
  if (typ !== 'JWT') throw new errors.JWTInvalid('unknown type');
  return { caller: callerOf(Claims.parse(payload)), audience: aud, grant: null, expires: exp };
}

async function keyFor(keys: SigningKeys, kid: string | undefined): Promise<CryptoKey> {
  const key = kid === undefined ? null : await keys.verifying(kid);
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key;
}

const Issued = z.object({ iat: z.number().min(0).max(1e11) });

/** When a token says it was issued: the moment at which an expired one was good. Settled by the signature afterwards. */
function claimedTime(token: string): Date {
  const [, payload = ''] = token.split('.');
  const { iat } = Issued.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  return new Date(iat * 1000);
}

async function refusingFaults<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (isFault(error)) throw unauthorized();
    throw error;
  }
}

/** The token's fault, not ours. */
const isFault = (error: unknown): boolean =>
  error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof z.ZodError;
