import { z } from 'zod';
import { Email } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';
import { MAX_GIVEN_PASSWORD_LENGTH } from '../text-limits.ts';
import { LinkToken, PageLanguage, Person } from './account.ts';

const shared = { tag: 'Consent page', method: 'POST', page: true } as const;

export const requestEmailChange = defineEndpoint({
  ...shared,
  audience: ['patient-session'],
  path: '/account/email',
  name: 'requestEmailChange',
  summary:
    'Mails a link to another address, which gives it to the account of the signed-in person; the answer is the same whether or not the address has an account already',
  body: z.object({
    email: Email,
    currentPassword: z.string().min(1).max(MAX_GIVEN_PASSWORD_LENGTH),
    language: PageLanguage.default('en'),
  }),
  status: 202,
  response: z.object({ status: z.literal('sent') }),
  refusals: {
    401: 'not_signed_in, or invalid_credentials: the password is another one',
    403: 'csrf, or a test patient, whose address its organization gives',
    429: 'Too many failed attempts, or too many mails requested from one address',
    503: 'Too many sign in at once',
  },
});

const refusals = {
  404: 'The link is unknown, used or expired, or the password was changed after it was asked for',
  429: 'Too many attempts',
} as const;

/** Of a link that restores an address: the one that the account had. */
const isRestoration = z
  .boolean()
  .describe('The link restores the address before, for a person who did not change it themselves');

export const openEmailChange = defineEndpoint({
  ...shared,
  audience: ['anyone', 'patient-session'],
  path: '/account/email/link',
  name: 'openEmailChange',
  summary:
    'Shows which address a mailed link gives to an account, and whether that of the signed-in person is meant, without using it',
  body: z.object({ token: LinkToken }),
  response: z.object({
    email: z.string(),
    isRestoration,
    person: Person.nullable().describe('The signed-in person'),
    isOwnAccount: z.boolean().describe('It is their account that gets the address'),
  }),
  refusals,
});

export const confirmEmailChange = defineEndpoint({
  ...shared,
  audience: ['anyone', 'patient-session'],
  path: '/account/email/confirm',
  name: 'confirmEmailChange',
  summary:
    'Gives the account the address to which the link was mailed, for whoever is signed in to it in this browser, and tells the former address, with a link that restores it, for a week. That one needs no session: it ends every session, the password and all passkeys, and answers a link that chooses another password',
  body: z.object({ token: LinkToken }),
  response: z.object({
    email: z.string(),
    isRestoration,
    passwordToken: z
      .string()
      .nullable()
      .describe('Of a link that restored an address: for `POST /account/password`, within an hour'),
  }),
  refusals: {
    ...refusals,
    401: 'not_signed_in: a new address is confirmed in a session of the account that gets it',
    403: 'csrf, or other_account: somebody else is signed in',
    409: 'address_taken: somebody has an account with this address by now',
  },
});

export const cancelEmailChange = defineEndpoint({
  ...shared,
  audience: ['anyone'],
  path: '/account/email/cancel',
  name: 'cancelEmailChange',
  summary:
    'Ends the change that a mailed link would confirm, with every other link to it, for a person who did not ask for it; a link that restores an address cannot be ended',
  body: z.object({ token: LinkToken }),
  status: 204,
  response: z.undefined(),
  refusals: {
    ...refusals,
    404: 'Nothing was ended: the link is unknown, used, ended before or expired, the password was changed after it was asked for, or it restores an address',
  },
});
