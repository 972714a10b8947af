import { z } from 'zod';
import { personNameInput } from '../person-name-input.ts';
import { MAX_GIVEN_PASSWORD_LENGTH, MAX_OWN_NAME_LENGTH, MAX_PASSWORD_LENGTH } from '../text-limits.ts';
import { Email, EmailInput, PatientId, ProjectId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';
import { BrandedOrganization } from '../organization/brand.ts';

const tag = 'Consent page';
const shared = { tag, audience: ['anyone'], page: true } as const;

export const Person = z
  .object({
    id: PatientId.describe('Of the account; its address can change'),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    isTestPatient: z.boolean(),
  })
  .meta({ id: 'Person' });

export const Session = z
  .object({
    csrfToken: z.string().describe('The x-csrf-token header of every POST of the page'),
    person: Person.nullable().describe('The signed-in person'),
    organization: BrandedOrganization.nullable().describe(
      'The one organization that the signed-in person takes part with; null: none, or several',
    ),
    pageUrl: z
      .string()
      .describe(
        'The address of the page; one that has another origin moves there, since its requests are refused',
      ),
  })
  .meta({ id: 'Session' });

/** The languages of the pages. */
export const PageLanguage = z.enum(['en', 'es']);

const MIN_PASSWORD_LENGTH = 12;

/** NIST SP 800-63B §3.1.1: length matters, not composition. */
export const NewPassword = z
  .string()
  .min(MIN_PASSWORD_LENGTH, `must have at least ${MIN_PASSWORD_LENGTH} characters`)
  .max(MAX_PASSWORD_LENGTH, `must have at most ${MAX_PASSWORD_LENGTH} characters`);

/** Whoever knew the password may have added one: it would sign them in as before. */
export const keepPasskeys = z
  .boolean()
  .default(false)
  .describe('true: the passkeys of the account go on signing in; otherwise they are removed');

export const getSession = defineEndpoint({
  ...shared,
  audience: ['anyone', 'patient-session'],
  method: 'GET',
  path: '/account/session',
  name: 'getSession',
  summary: 'The person who is signed in in this browser, and its CSRF token',
  response: Session,
});

export const signIn = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/sign-in',
  name: 'signIn',
  summary: 'Begins a session, in an HttpOnly cookie',
  body: z.object({ email: EmailInput, password: z.string().min(1).max(MAX_GIVEN_PASSWORD_LENGTH) }),
  response: z.object({ person: Person }),
  refusals: {
    401: 'invalid_credentials',
    429: 'Too many failed attempts',
    503: 'Too many sign in at once',
  },
});

export const signOut = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/sign-out',
  name: 'signOut',
  summary: 'Ends the session',
  status: 204,
  response: z.undefined(),
});

const AccountLinkRequest = z.object({
  email: Email,
  language: PageLanguage.default('en'),
  continueWith: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional()
    .describe('The authorization request to continue with'),
  projectId: ProjectId.optional().describe(
    'The project that the person comes for: the mail names its organization, and without a request the link leads on to its invitation',
  ),
});

const accountLink = {
  ...shared,
  method: 'POST',
  body: AccountLinkRequest,
  status: 202,
  response: z.object({ status: z.literal('sent') }),
  refusals: { 429: 'Too many mails requested from one address' },
} as const;

export const signUp = defineEndpoint({
  ...accountLink,
  path: '/account/sign-up',
  name: 'signUp',
  summary: 'Mails a link that creates an account; the answer is the same whether or not the address has one',
});

export const forgottenPassword = defineEndpoint({
  ...accountLink,
  path: '/account/forgotten-password',
  name: 'forgottenPassword',
  summary: 'Mails a link that sets a new password; the answer is the same for unknown addresses',
});

export const updateMyLanguage = defineEndpoint({
  ...shared,
  audience: ['patient-session'],
  method: 'POST',
  path: '/account/language',
  name: 'updateMyLanguage',
  summary: 'Sets the language of mails to the signed-in person: that of the page they use',
  body: z.object({ language: PageLanguage }),
  status: 204,
  response: z.undefined(),
});

export const LinkToken = z.string().min(20).max(200);

export const openAccountLink = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/link',
  name: 'openAccountLink',
  summary: 'Shows what a mailed link is for, without using it',
  body: z.object({ token: LinkToken }),
  response: z.object({
    email: z.string(),
    hasPassword: z.boolean().describe('The account exists; the link sets a new password'),
    needsName: z.boolean().describe('The name of this person is not known yet'),
    passkeys: z
      .array(z.object({ name: z.string(), createdAt: z.iso.datetime() }))
      .describe('Those of the account, which sign in besides the password'),
    continueWith: z.string().nullable(),
    projectId: ProjectId.nullable(),
    organization: BrandedOrganization.nullable().describe('Of that project'),
  }),
  refusals: { 404: 'The link is unknown, used or expired', 429: 'Too many attempts' },
});

const NewName = personNameInput(MAX_OWN_NAME_LENGTH)
  .optional()
  .describe(
    'Needed where the link says `needsName`, and not taken where it does not: the account of whom an organization enrolled first has the name that it wrote, which `person` of the answer shows',
  );

export const setPassword = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/password',
  name: 'setPassword',
  summary:
    'Sets the password by a mailed link, which confirms the address and creates the account; signs in. Passkeys of the account are removed unless they are to be kept',
  body: z.object({
    token: LinkToken,
    password: NewPassword,
    firstName: NewName,
    lastName: NewName,
    keepPasskeys,
  }),
  response: z.object({
    person: Person,
    continueWith: z.string().nullable(),
    projectId: ProjectId.nullable().describe('The invitation to go on with'),
  }),
  refusals: { 404: 'The link is unknown, used or expired', 429: 'Too many attempts' },
});
