import { z } from 'zod';
import { Person } from './account.ts';
import { defineEndpoint } from '../endpoint.ts';
import { PasskeyId } from '../brands.ts';

const shared = { tag: 'Consent page', audience: ['patient-session'], page: true } as const;
const signedOut = { ...shared, audience: ['anyone'] } as const;

/** As WebAuthn defines them (`PublicKeyCredentialCreationOptionsJSON` and its kin); checked by the library that reads them. */
const WebAuthnJson = z.record(z.string(), z.unknown());

export const listPasskeys = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/passkeys',
  name: 'listPasskeys',
  summary: "The signed-in person's passkeys",
  response: z.object({
    passkeys: z.array(
      z.object({
        id: PasskeyId,
        name: z.string(),
        createdAt: z.iso.datetime(),
        lastUsedAt: z.iso.datetime().nullable(),
      }),
    ),
    possible: z
      .boolean()
      .describe('false: this address is an IP address or not reached by https, which WebAuthn does not take'),
  }),
});

export const beginPasskey = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/passkeys/options',
  name: 'beginPasskey',
  summary: 'What the browser needs to make a passkey (WebAuthn §5.1.3)',
  response: z.object({ options: WebAuthnJson }),
  refusals: {
    403: 'csrf; sign_in_again: the session is older than 15 minutes; or a test patient',
    409: 'There are twenty, or this address cannot have passkeys',
  },
});

export const addPasskey = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/passkeys',
  name: 'addPasskey',
  summary: 'Keeps a passkey that the browser has made',
  body: z.object({ name: z.string().trim().min(1).max(100), response: WebAuthnJson }),
  status: 201,
  response: z.object({ id: PasskeyId }),
  refusals: {
    400: 'invalid_passkey: the answer does not fit the challenge, the page or the browser',
    409: 'It is known already, or there are twenty',
  },
});

export const removePasskey = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/passkeys/remove',
  name: 'removePasskey',
  summary: 'Forgets a passkey',
  body: z.object({ id: PasskeyId }),
  status: 204,
  response: z.undefined(),
  refusals: { 404: 'The person has no such passkey' },
});

export const beginPasskeySignIn = defineEndpoint({
  ...signedOut,
  method: 'POST',
  path: '/account/sign-in/passkey/options',
  name: 'beginPasskeySignIn',
  summary: 'What the browser needs to sign in by a passkey (WebAuthn §5.1.4)',
  response: z.object({ options: WebAuthnJson }),
  refusals: {
    409: 'passkeys_impossible: this address cannot have passkeys',
    429: 'Too many attempts',
  },
});

export const signInByPasskey = defineEndpoint({
  ...signedOut,
  method: 'POST',
  path: '/account/sign-in/passkey',
  name: 'signInByPasskey',
  summary: 'Begins a session by a passkey',
  body: z.object({ response: WebAuthnJson }),
  response: z.object({ person: Person }),
  refusals: { 401: 'invalid_credentials', 429: 'Too many attempts' },
});
