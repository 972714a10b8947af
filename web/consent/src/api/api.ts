import type { z } from 'zod';
import type * as account from '../../../../contract/account.ts';
import type * as interaction from '../../../../contract/interaction.ts';
import type * as mine from '../../../../contract/my-consents.ts';
import type { Call } from './call.ts';

export type Person = z.infer<typeof account.Person>;
export type Interaction = interaction.Interaction;
export type Decision = z.input<typeof interaction.InteractionDecision>;
export type Entry = interaction.InteractionDecision['interactions'][number];
export type Consent = mine.MyConsent;
export type OpenedLink = z.infer<(typeof account.openLink)['response']>;
type MailAsked = z.input<(typeof account.signUp)['body']>;

/** What the page asks of the service, one line each; the types come from the contract. */
export const apiOf = (call: Call) => ({
  session: () => call<typeof account.getSession>('GET /account/session'),
  signIn: (email: string, password: string) =>
    call<typeof account.signIn>('POST /account/sign-in', { body: { email, password } }),
  signOut: () => call<typeof account.signOut>('POST /account/sign-out'),
  signUp: (body: MailAsked) => call<typeof account.signUp>('POST /account/sign-up', { body }),
  forgottenPassword: (body: MailAsked) =>
    call<typeof account.forgottenPassword>('POST /account/forgotten-password', { body }),
  openLink: (token: string) => call<typeof account.openLink>('POST /account/link', { body: { token } }),
  setPassword: (body: z.input<(typeof account.setPassword)['body']>) =>
    call<typeof account.setPassword>('POST /account/password', { body }),
  interaction: (requestId: string) =>
    call<typeof interaction.getInteraction>('GET /oauth/interaction/{requestId}', { requestId }),
  decide: (requestId: string, body: Decision) =>
    call<typeof interaction.decideInteraction>('POST /oauth/interaction/{requestId}', { requestId, body }),
  consents: () => call<typeof mine.listMyConsents>('GET /account/consents'),
  stopSharing: (projectId: string) =>
    call<typeof mine.withdrawMyConsent>('POST /account/consents/withdraw', { body: { projectId } }),
});

export type Api = ReturnType<typeof apiOf>;
