import { z } from 'zod';
import { NewPassword } from '../account/account.ts';
import { defineEndpoint } from '../endpoint.ts';
import { PlainName } from '../organization/projects.ts';
import { ROLES } from '../roles.ts';
import { SetupSteps } from './console.ts';
import { SignInProvider } from './sign-in-provider.ts';

const signedOut = { tag: 'Console', page: 'console', audience: ['anyone'] } as const;

const token = z.string().min(20).max(200).describe('The secret of the invitation');

export const openInvitation = defineEndpoint({
  ...signedOut,
  method: 'POST',
  path: '/console/invitations/open',
  name: 'openInvitation',
  summary: 'Shows what an invitation is for, without using it',
  body: z.object({ token }),
  response: z.object({
    organization: z.object({ name: z.string() }),
    email: z.string(),
    role: z.enum(ROLES),
    isReset: z.boolean().describe('Somebody who is a member already chooses password and factor anew'),
    oidc: SignInProvider.nullable().describe(
      'The identity provider at which a first sign-in accepts the invitation too, or alone',
    ),
  }),
  refusals: { 404: 'link_invalid: it is unknown, used, revoked or expired', 429: 'Too many attempts' },
});

export const acceptInvitation = defineEndpoint({
  ...signedOut,
  method: 'POST',
  path: '/console/invitations/accept',
  name: 'acceptInvitation',
  summary:
    'Makes the invited a member with the password they choose, and signs them in; a second factor comes next',
  body: z.object({ token, password: NewPassword, name: PlainName.optional() }),
  response: z.object({ setup: SetupSteps }),
  refusals: {
    400: 'weak_password, or name: who becomes a member says theirs',
    403: 'csrf; oidc_only: sign in at the identity provider, which accepts it',
    404: 'link_invalid: it is unknown, used, revoked or expired',
    409: 'address_taken: the address signs in to another organization',
    429: 'Too many attempts',
  },
});
