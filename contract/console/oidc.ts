import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { SetupSteps } from './console.ts';

const shared = { tag: 'Console', page: 'console' } as const;
const signedOut = { ...shared, audience: ['anyone'] } as const;
const signedIn = { ...shared, audience: ['member'] } as const;

const started = z.object({ url: z.url().describe('Where the browser goes: the authorization request') });

const UNAVAILABLE = 'oidc_unavailable: the identity provider does not answer as it should';
const NOT_CONFIGURED =
  'Signing in by an identity provider is not configured, or is for another organization than the member’s';

export const beginOidcSignIn = defineEndpoint({
  ...signedOut,
  method: 'POST',
  path: '/console/sign-in/oidc',
  name: 'beginOidcSignIn',
  summary: "Begins to sign in at the organization's identity provider (OpenID Connect, code flow with PKCE)",
  response: started,
  refusals: { 404: NOT_CONFIGURED, 429: 'Too many attempts', 503: UNAVAILABLE },
});

export const beginOidcConfirmation = defineEndpoint({
  ...signedIn,
  method: 'POST',
  path: '/console/confirm/oidc',
  name: 'beginOidcConfirmation',
  summary: 'Begins to prove presence by signing in at the identity provider once more',
  response: started,
  refusals: { 404: NOT_CONFIGURED, 503: UNAVAILABLE },
});

export const beginOidcJoin = defineEndpoint({
  ...signedIn,
  presence: true,
  method: 'POST',
  path: '/console/identity',
  name: 'beginOidcJoin',
  summary:
    'Begins to join the login of the identity provider with the member who is signed in; every session of theirs ends, and one begins that the provider lets in',
  response: started,
  refusals: { 404: NOT_CONFIGURED, 503: UNAVAILABLE },
});

export const completeOidc = defineEndpoint({
  ...shared,
  audience: ['anyone', 'member'],
  method: 'POST',
  path: '/console/sign-in/oidc/complete',
  name: 'completeOidc',
  summary:
    'Ends what was begun at the identity provider, by the parameters with which it sent the browser back',
  body: z.object({
    parameters: z
      .record(z.string().max(100), z.string().max(10_000))
      .describe('The query of the redirect: code, state and iss (RFC 9207), or error'),
  }),
  response: z.object({ purpose: z.enum(['sign_in', 'join', 'confirm']), setup: SetupSteps }),
  refusals: {
    401: 'oidc_failed: the answer does not match what this browser began, or the provider let nobody in; oidc_other_person: another person signed in there than here',
    403: 'no_role: no group of the person has a role here, and every session of theirs has ended; email_unverified; member_removed, and not invited since; bad_subject: the provider names them in a way that cannot be kept',
    404: NOT_CONFIGURED,
    409: 'not_joined: a member has this address, and has to join the two first; address_taken: the address signs in to another organization; identity_taken: the login belongs to another member; too_many_members',
    429: 'Too many attempts',
    503: UNAVAILABLE,
  },
});
