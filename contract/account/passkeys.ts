import { z } from 'zod';
import { MAX_PASSKEY_NAME_LENGTH } from '../text-limits.ts';
import { Person } from './account.ts';
import { defineEndpoint } from '../endpoint.ts';
import { PasskeyId } from '../brands.ts';

/** The most passkeys that a person may have. */
export const MAX_PASSKEYS = 20;

/** A session older than this may not add a passkey: a browser that was left open must not become permanent access. */
export const RECENT_SIGN_IN_MINUTES = 15;

const shared = { tag: 'Consent page', audience: ['patient-session'], page: true } as const;
const signedOut = { ...shared, audience: ['anyone'] } as const;

/** `PublicKeyCredentialCreationOptionsJSON` and the other types of WebAuthn; validated by the library that reads them. */
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
      .describe('false: this address is an IP address or without https, which WebAuthn does not support'),
  }),
});

export const beginPasskey = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/passkeys/options',
  name: 'beginPasskey',
  summary: 'The options for creating a passkey (WebAuthn §5.1.3)',
  response: z.object({ options: WebAuthnJson }),
  refusals: {
    403: `csrf; sign_in_again: the session is older than ${RECENT_SIGN_IN_MINUTES} minutes; or a test patient`,
    409: `The person has ${MAX_PASSKEYS} passkeys, or this address cannot have any`,
  },
});

export const addPasskey = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/passkeys',
  name: 'addPasskey',
  summary: 'Stores a passkey that the browser has created',
  body: z.object({ name: z.string().trim().min(1).max(MAX_PASSKEY_NAME_LENGTH), response: WebAuthnJson }),
  status: 201,
  response: z.object({ id: PasskeyId }),
  refusals: {
    400: 'invalid_passkey: the response does not match the challenge, the page or the browser',
    409: `The passkey is registered already, or the person has ${MAX_PASSKEYS}`,
  },
});

export const removePasskey = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/passkeys/remove',
  name: 'removePasskey',
  summary: 'Removes a passkey',
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
  summary: 'The options for signing in with a passkey (WebAuthn §5.1.4)',
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
  summary: 'Signs in with a passkey',
  body: z.object({ response: WebAuthnJson }),
  response: z.object({ person: Person }),
  refusals: { 401: 'invalid_credentials', 429: 'Too many attempts', 503: 'Too many sign in at once' },
});
