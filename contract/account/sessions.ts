import { z } from 'zod';
import { MAX_GIVEN_PASSWORD_LENGTH } from '../text-limits.ts';
import { SessionId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';
import { keepPasskeys, NewPassword } from './account.ts';

const shared = { tag: 'Consent page', audience: ['patient-session'], page: true } as const;

/** "Firefox, Android": empty where the browser does not say. */
const device = z.string().describe('The browser and its system, as the browser says; empty: it does not say');

/** Where somebody is signed in, a person or a member of an organization. */
export const SessionList = z.object({
  sessions: z.array(
    z.object({
      id: SessionId,
      device,
      signedInAt: z.iso.datetime(),
      lastUsedAt: z.iso.datetime().describe('To ten minutes'),
      isThis: z.boolean().describe('The session of this very browser'),
    }),
  ),
});

export const listSessions = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/sessions',
  name: 'listSessions',
  summary: 'Where the person is signed in',
  response: SessionList,
});

export const endSession = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/sessions/end',
  name: 'endSession',
  summary: 'Signs the person out in one browser',
  body: z.object({ id: SessionId }),
  status: 204,
  response: z.undefined(),
  refusals: { 404: 'The person has no such session' },
});

export const endOtherSessions = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/sessions/end-others',
  name: 'endOtherSessions',
  summary: 'Signs the person out in every other browser',
  status: 204,
  response: z.undefined(),
});

export const changePassword = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/password/change',
  name: 'changePassword',
  summary:
    'Replaces the password of the signed-in person, who stays signed in here; every other session and every token of the old one ends, and their passkeys are removed unless they are to be kept',
  body: z.object({
    currentPassword: z.string().min(1).max(MAX_GIVEN_PASSWORD_LENGTH),
    newPassword: NewPassword,
    keepPasskeys,
  }),
  status: 204,
  response: z.undefined(),
  refusals: {
    401: 'not_signed_in, or invalid_credentials: the present password is another one',
    403: 'csrf, or a test patient, whose password its organization sets',
    429: 'Too many failed attempts',
    503: 'Too many sign in at once',
  },
});

export const AccountEvent = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    kind: z.enum([
      'signed_in',
      'signed_in_by_passkey',
      'password_chosen',
      'password_changed',
      'session_ended',
      'passkey_added',
      'passkey_removed',
      'email_changed',
      'email_restored',
    ]),
    device,
  })
  .meta({ id: 'AccountEvent' });
export type AccountEvent = z.infer<typeof AccountEvent>;

/** The most events that are returned; older ones are deleted after a year. */
export const MAX_ACCOUNT_EVENTS = 500;

export const listAccountEvents = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/events',
  name: 'listAccountEvents',
  summary: `Sign-ins, changes of the password, of passkeys and of the address, and ended sessions, newest first, the last ${MAX_ACCOUNT_EVENTS} of a year`,
  response: z.object({ events: z.array(AccountEvent) }),
});
