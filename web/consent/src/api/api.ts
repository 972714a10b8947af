import type { z } from 'zod';
import type * as account from '../../../../contract/account/account.ts';
import type * as interaction from '../../../../contract/oauth/interaction.ts';
import type * as documents from '../../../../contract/account/documents.ts';
import type * as log from '../../../../contract/account/access-log.ts';
import type * as mine from '../../../../contract/account/my-consents.ts';
import type * as record from '../../../../contract/account/my-record.ts';
import type * as passkeys from '../../../../contract/account/passkeys.ts';
import type * as sources from '../../../../contract/account/patient-sources.ts';
import type * as projects from '../../../../contract/organization/projects.ts';
import type * as uploads from '../../../../contract/account/uploads.ts';
import type { Call } from './call.ts';

export type Person = z.infer<typeof account.Person>;
export type Interaction = interaction.Interaction;
export type PreviousConsent = interaction.PreviousConsent;
export type ProjectContent = z.infer<typeof projects.ProjectContent>;
export type Screenshot = interaction.InteractionDecision['screenshots'][number];
export type Decision = z.input<typeof interaction.InteractionDecision>;
export type InteractionEntry = interaction.InteractionDecision['interactions'][number];
export type Consent = mine.MyConsent;
export type LogEntry = log.AccessLogEntry;
export type Batch = uploads.UploadBatch;
export type OriginalFile = documents.StoredDocument;
export type Source = sources.PatientSource;
export type Passkeys = z.infer<(typeof passkeys.listPasskeys)['response']>;
export type OpenedLink = z.infer<(typeof account.openAccountLink)['response']>;
type MailRequest = z.input<(typeof account.signUp)['body']>;

/** What the page asks of the service, one line each; the types come from the contract. */
export const createApi = (call: Call) => ({
  getSession: () => call<typeof account.getSession>('GET /account/session'),
  signIn: (email: string, password: string) =>
    call<typeof account.signIn>('POST /account/sign-in', { body: { email, password } }),
  signOut: () => call<typeof account.signOut>('POST /account/sign-out'),
  signUp: (body: MailRequest) => call<typeof account.signUp>('POST /account/sign-up', { body }),
  forgottenPassword: (body: MailRequest) =>
    call<typeof account.forgottenPassword>('POST /account/forgotten-password', { body }),
  openLink: (token: string) =>
    call<typeof account.openAccountLink>('POST /account/link', { body: { token } }),
  setPassword: (body: z.input<(typeof account.setPassword)['body']>) =>
    call<typeof account.setPassword>('POST /account/password', { body }),
  getInteraction: (requestId: string) =>
    call<typeof interaction.getInteraction>('GET /oauth/interaction/{requestId}', {
      params: { requestId },
    }),
  decideInteraction: (requestId: string, body: Decision) =>
    call<typeof interaction.decideInteraction>('POST /oauth/interaction/{requestId}', {
      params: { requestId },
      body,
    }),
  listMyConsents: () => call<typeof mine.listMyConsents>('GET /account/consents'),
  withdrawMyConsent: (projectId: string) =>
    call<typeof mine.withdrawMyConsent>('POST /account/consents/withdraw', {
      body: { projectId },
    }),
  narrowMyConsent: (body: z.input<(typeof mine.narrowMyConsent)['body']>) =>
    call<typeof mine.narrowMyConsent>('POST /account/consents/narrow', { body }),
  listMyReceipts: () => call<typeof mine.listMyReceipts>('GET /account/receipts'),
  getMyAccessLog: (query: z.input<(typeof log.getMyAccessLog)['query']>) =>
    call<typeof log.getMyAccessLog>('GET /account/access-log', { query }),
  listMyUploads: () => call<typeof record.listMyUploads>('GET /account/uploads'),
  uploadMyDocuments: (file: { blob: Blob; name: string; onProgress(fraction: number): void }) =>
    call<typeof record.uploadMyDocuments>('POST /account/uploads', { file }),
  listMyDocuments: (query: z.input<(typeof record.listMyDocuments)['query']>) =>
    call<typeof record.listMyDocuments>('GET /account/documents', { query }),
  listMySources: () => call<typeof sources.listMySources>('GET /account/sources'),
  refreshMySources: () => call<typeof sources.refreshMySources>('POST /account/sources/refresh'),
  deleteMyAccount: (password: string) =>
    call<typeof record.deleteMyAccount>('POST /account/delete', { body: { password } }),
  listPasskeys: () => call<typeof passkeys.listPasskeys>('GET /account/passkeys'),
  beginPasskey: () => call<typeof passkeys.beginPasskey>('POST /account/passkeys/options'),
  addPasskey: (body: z.input<(typeof passkeys.addPasskey)['body']>) =>
    call<typeof passkeys.addPasskey>('POST /account/passkeys', { body }),
  removePasskey: (body: z.input<(typeof passkeys.removePasskey)['body']>) =>
    call<typeof passkeys.removePasskey>('POST /account/passkeys/remove', { body }),
  beginPasskeySignIn: () => call<typeof passkeys.beginPasskeySignIn>('POST /account/sign-in/passkey/options'),
  signInByPasskey: (response: Record<string, unknown>) =>
    call<typeof passkeys.signInByPasskey>('POST /account/sign-in/passkey', { body: { response } }),
});

export type Api = ReturnType<typeof createApi>;
