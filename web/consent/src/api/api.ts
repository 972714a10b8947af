import type { z } from 'zod';
import type * as account from '../../../../contract/account.ts';
import type * as interaction from '../../../../contract/interaction.ts';
import type * as documents from '../../../../contract/documents.ts';
import type * as log from '../../../../contract/access-log.ts';
import type * as mine from '../../../../contract/my-consents.ts';
import type * as record from '../../../../contract/my-record.ts';
import type * as passkeys from '../../../../contract/passkeys.ts';
import type * as sources from '../../../../contract/patient-sources.ts';
import type * as projects from '../../../../contract/projects.ts';
import type * as uploads from '../../../../contract/uploads.ts';
import type { Call } from './call.ts';

export type Person = z.infer<typeof account.Person>;
export type Interaction = interaction.Interaction;
export type PreviousConsent = interaction.PreviousConsent;
export type ProjectContent = z.infer<typeof projects.ProjectContent>;
export type Screenshot = interaction.InteractionDecision['screenshots'][number];
export type Decision = z.input<typeof interaction.InteractionDecision>;
export type Entry = interaction.InteractionDecision['interactions'][number];
export type Consent = mine.MyConsent;
export type LogEntry = log.AccessLogEntry;
export type Batch = uploads.UploadBatch;
export type KeptFile = documents.KeptDocument;
export type Source = sources.PatientSource;
export type Passkeys = z.infer<(typeof passkeys.listPasskeys)['response']>;
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
    call<typeof interaction.getInteraction>('GET /oauth/interaction/{requestId}', {
      params: { requestId },
    }),
  decide: (requestId: string, body: Decision) =>
    call<typeof interaction.decideInteraction>('POST /oauth/interaction/{requestId}', {
      params: { requestId },
      body,
    }),
  consents: () => call<typeof mine.listMyConsents>('GET /account/consents'),
  stopSharing: (projectId: string) =>
    call<typeof mine.withdrawMyConsent>('POST /account/consents/withdraw', {
      body: { projectId },
    }),
  narrow: (body: z.input<(typeof mine.narrowMyConsent)['body']>) =>
    call<typeof mine.narrowMyConsent>('POST /account/consents/narrow', { body }),
  receipts: () => call<typeof mine.listMyReceipts>('GET /account/receipts'),
  accessLog: (query: z.input<(typeof log.getMyAccessLog)['query']>) =>
    call<typeof log.getMyAccessLog>('GET /account/access-log', { query }),
  uploads: () => call<typeof record.listMyUploads>('GET /account/uploads'),
  upload: (file: { blob: Blob; name: string; onProgress(part: number): void }) =>
    call<typeof record.uploadMyDocuments>('POST /account/uploads', { file }),
  documents: (query: z.input<(typeof record.listMyDocuments)['query']>) =>
    call<typeof record.listMyDocuments>('GET /account/documents', { query }),
  sources: () => call<typeof sources.listMySources>('GET /account/sources'),
  refreshSources: () => call<typeof sources.refreshMySources>('POST /account/sources/refresh'),
  deleteAccount: (password: string) =>
    call<typeof record.deleteMyAccount>('POST /account/delete', { body: { password } }),
  passkeys: () => call<typeof passkeys.listPasskeys>('GET /account/passkeys'),
  beginPasskey: () => call<typeof passkeys.beginPasskey>('POST /account/passkeys/options'),
  addPasskey: (body: z.input<(typeof passkeys.addPasskey)['body']>) =>
    call<typeof passkeys.addPasskey>('POST /account/passkeys', { body }),
  removePasskey: (body: z.input<(typeof passkeys.removePasskey)['body']>) =>
    call<typeof passkeys.removePasskey>('POST /account/passkeys/remove', { body }),
  beginPasskeySignIn: () => call<typeof passkeys.beginPasskeySignIn>('POST /account/sign-in/passkey/options'),
  signInByPasskey: (response: Record<string, unknown>) =>
    call<typeof passkeys.signInByPasskey>('POST /account/sign-in/passkey', { body: { response } }),
});

export type Api = ReturnType<typeof apiOf>;
