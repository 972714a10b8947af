import * as contract from '../../../contract/account/auth.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import type { AccessTokens, VerifiedLogin } from './access-token.ts';
import type { Claims } from './claims.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { SigningKeys } from '../../platform/keys/signing-keys.ts';

/** The checks of the modules that own the credentials: null for wrong ones, in the same time as for right ones. */
export interface Credentials {
  apiKey(login: { apiKey: string; apiSecret: string; address: string }): Promise<VerifiedLogin | null>;
  /** Throws 403 when the patient is known and the project is not one of theirs. */
  patient(login: contract.PatientLogin): Promise<Claims | null>;
}

interface Deps {
  tokens: AccessTokens;
  throttle: LoginThrottle;
  credentials: Credentials;
  keys: SigningKeys;
}

export function registerTokenRoutes(routes: Routes, { tokens, throttle, credentials, keys }: Deps): void {
  serve(routes, contract.createAuthToken, async ({ body, address, requestId, baseUrl }) => {
    const login =
      'apiKey' in body
        ? await throttle.guardSecret({ account: `key:${body.apiKey}`, address, requestId }, () =>
            credentials.apiKey({ ...body, address }),
          )
        : await throttle.guard({ account: `email:${body.email}`, address, requestId }, () =>
            findPatientLogin(credentials, body),
          );
    if (login === null)
      throw new Refusal(401, 'invalid_credentials', { detail: 'The credentials are wrong.' });
    return { ...(await tokens.issue(login, baseUrl)), ...toUserDto(login.claims) };
  });
  serve(routes, contract.getJwks, async () => ({ keys: await keys.listPublishedKeys() }));
}

/** A password has no end. */
async function findPatientLogin(
  credentials: Credentials,
  body: contract.PatientLogin,
): Promise<VerifiedLogin | null> {
  const claims = await credentials.patient(body);
  return claims && { claims, endsAt: null };
}

function toUserDto(claims: Claims): Pick<contract.AuthTokenResponse, 'user'> {
  if (claims.role !== 'patient') return {};
  const { sub, firstName, lastName, isTestPatient } = claims;
  return { user: { type: 'PATIENT', id: sub, firstName, lastName, isTestPatient } };
}
