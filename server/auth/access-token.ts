import { errors, jwtVerify, SignJWT, type CryptoKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Caller } from '../../contract/audience.ts';
import { OrganizationId, PatientId, ProjectId } from '../../contract/ids.ts';
import type { Clock } from '../kernel/clock.ts';
import { unauthorized } from '../kernel/refusal.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Seconds; also the `expires_in` of OAuth. */
export const TOKEN_LIFETIME = 3600;

const OrganizationClaims = z.object({
  role: z.enum(['admin', 'researcher']),
  sub: z.string(),
  organizationId: OrganizationId,
});

const PatientClaims = z.object({
  role: z.literal('patient'),
  sub: PatientId,
  organizationId: OrganizationId,
  projectId: ProjectId,
  firstName: z.string(),
  lastName: z.string(),
  isTestPatient: z.boolean(),
});

const Claims = z.discriminatedUnion('role', [OrganizationClaims, PatientClaims]);
export type Claims = z.infer<typeof Claims>;

export interface AccessTokens {
  issue(claims: Claims): Promise<{ token: string; expiration: number }>;
  /** Who a token speaks for; throws `unauthorized` for one that is not ours, not for here, or over. */
  verify(token: string): Promise<Caller>;
}

interface Deps {
  keys: SigningKeys;
  clock: Clock;
  /** Issuer and audience of tokens of `POST /v1/auth/token`. */
  baseUrl: string;
}

/** Tokens whose signature was checked before; what they permit is asked of the store on every call. */
const REMEMBERED = 10_000;
/** Seconds after which a signature is checked again, so that a retired key's tokens end with it. */
const REMEMBERED_SECONDS = 60;

export function accessTokens({ keys, clock, baseUrl }: Deps): AccessTokens {
  const verified = new LRUCache<string, { caller: Caller; until: number }>({ max: REMEMBERED });
  const seconds = (): number => Math.floor(clock.now().getTime() / 1000);
  return {
    async issue(claims) {
      const { kid, key } = await keys.current();
      const expiration = seconds() + TOKEN_LIFETIME;
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .setIssuer(baseUrl)
        .setAudience(baseUrl)
        .setIssuedAt(seconds())
        .setExpirationTime(expiration)
        .sign(key);
      return { token, expiration };
    },
    async verify(token) {
      const known = verified.get(token);
      if (known && known.until > seconds()) return known.caller;
      try {
        const { payload } = await jwtVerify(token, ({ kid }) => keyFor(keys, kid), {
          issuer: baseUrl,
          audience: baseUrl,
          algorithms: ['ES256'],
          requiredClaims: ['exp', 'iat', 'sub'],
          currentDate: clock.now(),
        });
        const caller = callerOf(Claims.parse(payload));
        verified.set(token, {
          caller,
          until: Math.min(payload.exp as number, seconds() + REMEMBERED_SECONDS),
        });
        return caller;
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof z.ZodError) throw unauthorized();
        throw error;
      }
    },
  };
}

async function keyFor(keys: SigningKeys, kid: string | undefined): Promise<CryptoKey> {
  const key = kid === undefined ? null : await keys.verifying(kid);
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key;
}

function callerOf(claims: Claims): Caller {
  if (claims.role !== 'patient') {
    return { kind: claims.role, organizationId: claims.organizationId, subject: claims.sub };
  }
  const { sub, organizationId, projectId, firstName, lastName, isTestPatient } = claims;
  return {
    kind: 'patient',
    patientId: sub,
    organizationId,
    projectId,
    firstName,
    lastName,
    isTestPatient,
    client: 'direct',
    grantId: null,
  };
}
