import type { z } from 'zod';
import type * as documents from '../../../contract/account/documents.ts';
import type * as emailChange from '../../../contract/account/email-change.ts';
import type * as enrollments from '../../../contract/account/enrollments.ts';
import type * as log from '../../../contract/account/access-log.ts';
import type * as mine from '../../../contract/account/my-consents.ts';
import type * as receipts from '../../../contract/account/my-receipts.ts';
import type * as record from '../../../contract/account/my-record.ts';
import type * as notices from '../../../contract/account/notices.ts';
import type * as facts from '../../../contract/account/record-facts.ts';
import type * as passkeys from '../../../contract/account/passkeys.ts';
import type * as sessions from '../../../contract/account/sessions.ts';
import type * as sources from '../../../contract/account/patient-sources.ts';
import type * as uploads from '../../../contract/account/uploads.ts';
import type { Call } from '../../kit/http/call.ts';

export type EnrollmentRequest = z.infer<
  (typeof enrollments.listEnrollmentRequests)['response']
>['enrollments'][number];
export type Invitation = enrollments.EnrollmentInvitation;
export type Consent = mine.MyConsent;
export type ConnectedApp = Consent['apps'][number];
export type LogEntry = log.AccessLogEntry;
export type Batch = uploads.UploadBatch;
export type OriginalFile = documents.StoredDocument;
export type UnreadDocument = record.UnreadDocument;
export type RecordFact = facts.RecordFact;
export type PersonDetail = facts.PersonDetail;
export type Source = sources.PatientSource;
export type Sessions = z.infer<(typeof sessions.listSessions)['response']>;
export type AccountEvent = sessions.AccountEvent;
export type NoticeSettings = notices.NoticeSettings;
export type ReceiptContent = z.infer<(typeof receipts.getMyReceiptContent)['response']>;
export type Passkeys = z.infer<(typeof passkeys.listPasskeys)['response']>;

/** What is decided, and the receipts of it. */
const createDecisionApi = (call: Call) => ({
  listMyConsents: () => call<typeof mine.listMyConsents>('GET /account/consents'),
  withdrawMyConsent: (body: z.input<(typeof mine.withdrawMyConsent)['body']>) =>
    call<typeof mine.withdrawMyConsent>('POST /account/consents/withdraw', { body }),
  disconnectMyApp: (body: z.input<(typeof mine.disconnectMyApp)['body']>) =>
    call<typeof mine.disconnectMyApp>('POST /account/consents/disconnect', { body }),
  listEnrollmentRequests: () => call<typeof enrollments.listEnrollmentRequests>('GET /account/enrollments'),
  narrowMyConsent: (body: z.input<(typeof mine.narrowMyConsent)['body']>) =>
    call<typeof mine.narrowMyConsent>('POST /account/consents/narrow', { body }),
  listMyReceipts: () => call<typeof receipts.listMyReceipts>('GET /account/receipts'),
  getMyReceiptContent: (consentRecordId: string) =>
    call<typeof receipts.getMyReceiptContent>('GET /account/receipts/{consentRecordId}/content', {
      params: { consentRecordId },
    }),
});

/** What the portal asks of the service besides signing in; the types come from the contract. */
export const createPortalApi = (call: Call) => ({
  ...createDecisionApi(call),
  getMyNotices: () => call<typeof notices.getMyNotices>('GET /account/notices'),
  updateMyNotices: (body: notices.NoticeSettings) =>
    call<typeof notices.updateMyNotices>('POST /account/notices', { body }),
  getMyAccessLog: (query: z.input<(typeof log.getMyAccessLog)['query']>) =>
    call<typeof log.getMyAccessLog>('GET /account/access-log', { query }),
  listMyUploads: () => call<typeof record.listMyUploads>('GET /account/uploads'),
  confirmMyUpload: (batchId: string) =>
    call<typeof record.confirmMyUpload>('POST /account/uploads/confirm', { body: { batchId } }),
  removeMyUpload: (batchId: string) =>
    call<typeof record.removeMyUpload>('POST /account/uploads/remove', { body: { batchId } }),
  readMyUploadAgain: (batchId: string) =>
    call<typeof record.readMyUploadAgain>('POST /account/uploads/read-again', { body: { batchId } }),
  listMyUnreadDocuments: () => call<typeof record.listMyUnreadDocuments>('GET /account/unread-documents'),
  stateMyUnreadDocument: (body: z.input<(typeof record.stateMyUnreadDocument)['body']>) =>
    call<typeof record.stateMyUnreadDocument>('POST /account/unread-documents', { body }),
  uploadMyDocuments: (file: { blob: Blob; name: string; onProgress(fraction: number): void }) =>
    call<typeof record.uploadMyDocuments>('POST /account/uploads', { file }),
  listMyDocuments: (query: z.input<(typeof record.listMyDocuments)['query']>) =>
    call<typeof record.listMyDocuments>('GET /account/documents', { query }),
  listMyFacts: (query: z.input<(typeof facts.listMyFacts)['query']>) =>
    call<typeof facts.listMyFacts>('GET /account/record/facts', { query }),
  getMyFact: (id: string) => call<typeof facts.getMyFact>('GET /account/record/fact', { query: { id } }),
  searchMyRecord: (query: string) =>
    call<typeof facts.searchMyRecord>('POST /account/record/search', { body: { query } }),
  listMySources: () => call<typeof sources.listMySources>('GET /account/sources'),
  refreshMySources: () => call<typeof sources.refreshMySources>('POST /account/sources/refresh'),
  deleteMyAccount: (password: string) =>
    call<typeof record.deleteMyAccount>('POST /account/delete', { body: { password } }),
  listSessions: () => call<typeof sessions.listSessions>('GET /account/sessions'),
  endSession: (body: z.input<(typeof sessions.endSession)['body']>) =>
    call<typeof sessions.endSession>('POST /account/sessions/end', { body }),
  endOtherSessions: () => call<typeof sessions.endOtherSessions>('POST /account/sessions/end-others'),
  changePassword: (body: z.input<(typeof sessions.changePassword)['body']>) =>
    call<typeof sessions.changePassword>('POST /account/password/change', { body }),
  requestEmailChange: (body: z.input<(typeof emailChange.requestEmailChange)['body']>) =>
    call<typeof emailChange.requestEmailChange>('POST /account/email', { body }),
  listAccountEvents: () => call<typeof sessions.listAccountEvents>('GET /account/events'),
  listPasskeys: () => call<typeof passkeys.listPasskeys>('GET /account/passkeys'),
  beginPasskey: () => call<typeof passkeys.beginPasskey>('POST /account/passkeys/options'),
  addPasskey: (body: z.input<(typeof passkeys.addPasskey)['body']>) =>
    call<typeof passkeys.addPasskey>('POST /account/passkeys', { body }),
  removePasskey: (body: z.input<(typeof passkeys.removePasskey)['body']>) =>
    call<typeof passkeys.removePasskey>('POST /account/passkeys/remove', { body }),
});

export type PortalApi = ReturnType<typeof createPortalApi>;
