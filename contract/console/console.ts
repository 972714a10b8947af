import { z } from 'zod';
import { MAX_CODE_LENGTH, MAX_GIVEN_PASSWORD_LENGTH } from '../text-limits.ts';
import { NewPassword } from '../account/account.ts';
import { EmailInput, MemberId, OrganizationId, ProjectId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';
import { PlainName } from '../organization/projects.ts';
import { ROLES } from '../roles.ts';
import { SignInProvider } from './sign-in-provider.ts';

/** How long a proof of presence counts for what asks for one. */
export const CONFIRMATION_MINUTES = 5;

const tag = 'Console';
const shared = { tag, page: 'console' } as const;
const signedOut = { ...shared, audience: ['anyone'] } as const;
const signedIn = { ...shared, audience: ['member'] } as const;

const USE_OIDC = 'use_oidc: the login is joined with that of the identity provider, where it is proved';

const password = z.string().min(1).max(MAX_GIVEN_PASSWORD_LENGTH);
/** The AuthenticationResponseJSON of WebAuthn, to the options of /console/confirm/options. */
const AuthenticationResponse = z.record(z.string(), z.unknown());
const code = z
  .string()
  .trim()
  .min(6)
  .max(MAX_CODE_LENGTH)
  .describe('Six digits of the authenticator app, or a recovery code; each is accepted once');

export const SetupSteps = z
  .array(z.enum(['password', 'factor']))
  .describe('What the member must choose before anything else is open to them; empty: nothing');

/** What a member proves to be present by. */
export const PresenceProof = z.enum(['code', 'passkey', 'password', 'identity_provider']);
export type PresenceProof = z.infer<typeof PresenceProof>;

export const SignedInMember = z
  .object({
    id: MemberId,
    email: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    projectIds: z.array(ProjectId).nullable().describe('null: every project'),
    isJoined: z.boolean().describe("They sign in at the organization's identity provider"),
    proofs: z
      .array(PresenceProof)
      .describe(
        'What they have of what proves that they are present; a code is of the app or for recovery. identity_provider: signing in there once more, and nothing else',
      ),
  })
  .meta({ id: 'SignedInMember' });

export const getConsoleSession = defineEndpoint({
  ...shared,
  audience: ['anyone', 'member'],
  method: 'GET',
  path: '/console/session',
  name: 'getConsoleSession',
  summary: 'The member who is signed in in this browser, and its CSRF token',
  response: z.object({
    csrfToken: z
      .string()
      .describe('The x-csrf-token header of every request of the console that is no GET, to /v1 too'),
    member: SignedInMember.nullable(),
    organization: z
      .object({
        id: OrganizationId,
        name: z.string(),
        timeZone: z.string().describe('The zone of its days, of the IANA database'),
      })
      .nullable(),
    setup: SetupSteps,
    oidc: SignInProvider.nullable().describe(
      'The identity provider that members sign in at; null: none is configured, or it is that of another organization than the member’s',
    ),
    keepsMails: z
      .boolean()
      .describe(
        'No mail server is configured: nobody gets mails, each is a file in the folder `outbox` of the data directory',
      ),
    isConfirmed: z
      .boolean()
      .describe(
        `The member proved to be present within ${CONFIRMATION_MINUTES} minutes; what is refused with confirmation_required needs it`,
      ),
  }),
});

export const signInToConsole = defineEndpoint({
  ...signedOut,
  method: 'POST',
  path: '/console/sign-in',
  name: 'signInToConsole',
  summary: 'Begins the session of a member, in an HttpOnly cookie',
  body: z.object({ email: EmailInput, password, code: code.optional() }),
  response: z.object({ setup: SetupSteps }),
  refusals: {
    403: 'csrf; oidc_only, use_oidc: sign in at the identity provider',
    401: 'invalid_credentials, or code_required: the password is right, and the member has a second factor. Who has passkeys alone signs in with one of them, or with a recovery code',
    429: 'Too many failed attempts',
    503: 'Too many sign in at once',
  },
});

export const signOutOfConsole = defineEndpoint({
  ...signedOut,
  method: 'POST',
  path: '/console/sign-out',
  name: 'signOutOfConsole',
  summary: 'Ends the session',
  status: 204,
  response: z.undefined(),
});

export const confirmPresence = defineEndpoint({
  ...signedIn,
  method: 'POST',
  path: '/console/confirm',
  name: 'confirmPresence',
  summary: `Proves that the member is present, by password, code or passkey, for ${CONFIRMATION_MINUTES} minutes`,
  body: z
    .object({
      password: password.optional(),
      code: code.optional(),
      passkey: AuthenticationResponse.optional(),
    })
    .refine(
      (proof) => Object.values(proof).filter((one) => one !== undefined).length === 1,
      'must hold password, code or passkey',
    ),
  status: 204,
  response: z.undefined(),
  refusals: {
    401: 'not_signed_in, or invalid_credentials',
    403: `csrf; ${USE_OIDC}`,
    429: 'Too many failed attempts',
    503: 'Too many sign in at once',
  },
});

export const forgottenConsolePassword = defineEndpoint({
  ...signedOut,
  method: 'POST',
  path: '/console/forgotten-password',
  name: 'forgottenConsolePassword',
  summary:
    'Mails a member a link by which they choose another password, once, within an hour; the same answer for any address',
  body: z.object({ email: EmailInput }),
  status: 202,
  response: z.object({ status: z.literal('sent') }),
  refusals: { 403: 'csrf; oidc_only: everybody signs in at the identity provider', 429: 'Too many attempts' },
});

export const chooseConsolePassword = defineEndpoint({
  ...signedOut,
  method: 'POST',
  path: '/console/forgotten-password/choose',
  name: 'chooseConsolePassword',
  summary:
    'Replaces a forgotten password by the secret of its link; every session ends, and signing in asks for the second factor',
  body: z.object({
    token: z.string().min(20).max(200).describe('The secret of the link'),
    password: NewPassword,
  }),
  status: 204,
  response: z.undefined(),
  refusals: {
    400: 'weak_password',
    403: 'csrf; oidc_only, use_oidc: sign in at the identity provider',
    404: 'link_invalid: it is unknown, used, replaced or expired',
    429: 'Too many attempts',
  },
});

export const changeConsolePassword = defineEndpoint({
  ...signedIn,
  method: 'POST',
  path: '/console/password',
  name: 'changeConsolePassword',
  summary: 'Replaces the password of the member, who stays signed in here; every other session ends',
  body: z.object({
    currentPassword: password,
    newPassword: NewPassword,
    name: PlainName.optional().describe(
      'How others of the organization see the member; whose login was made for them says it',
    ),
  }),
  status: 204,
  response: z.undefined(),
  refusals: {
    400: 'weak_password, or same_password',
    401: 'not_signed_in, or invalid_credentials: the present password is another one',
    403: `csrf; ${USE_OIDC}`,
    429: 'Too many failed attempts',
    503: 'Too many sign in at once',
  },
});

export const changeOwnName = defineEndpoint({
  ...signedIn,
  needsSetup: true,
  method: 'POST',
  path: '/console/name',
  name: 'changeOwnName',
  summary: 'Changes how others of the organization see the member, whatever their role',
  body: z.object({ name: PlainName }),
  status: 204,
  response: z.undefined(),
});

const recoveryCodes = z
  .array(z.string())
  .describe('Ten codes, shown once, each of which stands for a code of the app once');

export const beginTotp = defineEndpoint({
  ...signedIn,
  presence: true,
  method: 'POST',
  path: '/console/totp',
  name: 'beginTotp',
  summary:
    'Creates a secret for an authenticator app (RFC 6238); it is in force once its first code was sent',
  response: z.object({
    secret: z.string().describe('Base32, for whoever types it'),
    uri: z.string().describe('otpauth://, for a QR code'),
  }),
});

export const activateTotp = defineEndpoint({
  ...signedIn,
  presence: true,
  method: 'POST',
  path: '/console/totp/activate',
  name: 'activateTotp',
  summary:
    'Puts the authenticator app into force by its first code, in the place of the one before; every other session ends, and the recovery codes are new',
  body: z.object({ code: z.string().regex(/^\d{6}$/, 'must be six digits') }),
  response: z.object({ recoveryCodes }),
  refusals: { 400: 'wrong_code', 429: 'Too many wrong codes' },
});

export const renewRecoveryCodes = defineEndpoint({
  ...signedIn,
  presence: true,
  needsSetup: true,
  method: 'POST',
  path: '/console/recovery-codes',
  name: 'renewRecoveryCodes',
  summary: 'Replaces the recovery codes; those before end',
  response: z.object({ recoveryCodes }),
});
