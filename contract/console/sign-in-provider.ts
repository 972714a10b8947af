import { z } from 'zod';

/** The identity provider of an organization, as pages name it. */
export const SignInProvider = z.object({
  host: z.string(),
  isOnly: z.boolean().describe('Nobody signs in by password or passkey'),
});
export type SignInProvider = z.infer<typeof SignInProvider>;
