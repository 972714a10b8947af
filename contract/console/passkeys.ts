import { z } from 'zod';
import { MAX_PASSKEY_NAME_LENGTH } from '../text-limits.ts';
import { MAX_PASSKEYS } from '../account/passkeys.ts';
import { PasskeyId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';
import { SetupSteps } from './console.ts';

const shared = { tag: 'Console', page: 'console' } as const;
const signedOut = { ...shared, audience: ['anyone'] } as const;
const signedIn = { ...shared, audience: ['member'] } as const;

/** `PublicKeyCredentialCreationOptionsJSON` and the other types of WebAuthn; validated by the library that reads them. */
const WebAuthnJson = z.record(z.string(), z.unknown());

const IMPOSSIBLE = 'passkeys_impossible: this address cannot have passkeys';

export const beginConsolePasskeySignIn = defineEndpoint({
  ...signedOut,
  method: 'POST',
  path: '/console/sign-in/passkey/options',
  name: 'beginConsolePasskeySignIn',
  summary: 'The options for signing in to the console with a passkey (WebAuthn §5.1.4)',
  response: z.object({ options: WebAuthnJson }),
  refusals: { 409: IMPOSSIBLE, 429: 'Too many attempts' },
});

export const signInToConsoleByPasskey = defineEndpoint({
  ...signedOut,
  method: 'POST',
  path: '/console/sign-in/passkey',
  name: 'signInToConsoleByPasskey',
  summary:
    'Begins the session of a member by a passkey alone: the device has checked its user, so neither password nor code is asked for',
  body: z.object({ response: WebAuthnJson }),
  response: z.object({ setup: SetupSteps }),
  refusals: {
    401: 'invalid_credentials',
    403: 'csrf; oidc_only, use_oidc: sign in at the identity provider',
    409: IMPOSSIBLE,
    429: 'Too many attempts',
    503: 'Too many sign in at once',
  },
});

export const beginPasskeyConfirmation = defineEndpoint({
  ...signedIn,
  method: 'POST',
  path: '/console/confirm/options',
  name: 'beginPasskeyConfirmation',
  summary: 'The options for proving presence with a passkey of the member',
  response: z.object({ options: WebAuthnJson }),
  refusals: {
    403: 'csrf; use_oidc: presence is proved at the identity provider',
    409: `no_passkey: the member has none; or ${IMPOSSIBLE}`,
  },
});

export const listConsolePasskeys = defineEndpoint({
  ...signedIn,
  method: 'GET',
  path: '/console/passkeys',
  name: 'listConsolePasskeys',
  summary: 'What the member signs in with besides the password',
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
    hasTotp: z.boolean().describe('An authenticator app is set up'),
  }),
});

export const beginConsolePasskey = defineEndpoint({
  ...signedIn,
  presence: true,
  method: 'POST',
  path: '/console/passkeys/options',
  name: 'beginConsolePasskey',
  summary: 'The options for creating a passkey (WebAuthn §5.1.3)',
  response: z.object({ options: WebAuthnJson }),
  refusals: { 409: `too_many_passkeys: the member has ${MAX_PASSKEYS}; or ${IMPOSSIBLE}` },
});

export const addConsolePasskey = defineEndpoint({
  ...signedIn,
  presence: true,
  method: 'POST',
  path: '/console/passkeys',
  name: 'addConsolePasskey',
  summary:
    'Stores a passkey that the browser has created. As the first factor of the member it ends every other session and brings recovery codes',
  body: z.object({ name: z.string().trim().min(1).max(MAX_PASSKEY_NAME_LENGTH), response: WebAuthnJson }),
  status: 201,
  response: z.object({
    id: PasskeyId,
    recoveryCodes: z
      .array(z.string())
      .nullable()
      .describe(
        'Ten codes, shown once, each of which is a second factor once; null: the member has codes already',
      ),
  }),
  refusals: {
    400: 'invalid_passkey: the response does not match the challenge, the page, the browser or the session',
    409: `known_passkey: it is registered already; too_many_passkeys: the member has ${MAX_PASSKEYS}; or ${IMPOSSIBLE}`,
  },
});

export const removeConsolePasskey = defineEndpoint({
  ...signedIn,
  presence: true,
  method: 'POST',
  path: '/console/passkeys/remove',
  name: 'removeConsolePasskey',
  summary: 'Removes a passkey; every other session of the member ends',
  body: z.object({ id: PasskeyId }),
  status: 204,
  response: z.undefined(),
  refusals: {
    404: 'The member has no such passkey',
    409: 'last_factor: it is the only second factor of the member',
  },
});
