import type { ConsentRecordId, PatientId } from '../../contract/brands.ts';
import type { Identity } from '../identity/identity.ts';
import { createRecurringJob } from '../platform/jobs/recurring-job.ts';
import { createConsentAttention } from './decisions/find-attention.ts';
import type { Platform } from '../platform/platform.ts';
import type { Wing } from '../platform/wing.ts';
import { registerConsentRoutes } from './decisions/consents.route.ts';
import type { DenyRequests, FetchRecords } from './decisions/apply-to-grants.ts';
import type { DecisionDeps } from './decisions/decide.ts';
import { purgeDrafts } from './decisions/draft.ts';
import type { Emit } from './decisions/new-event.ts';
import { emitExpiryEvents } from './decisions/expiry-events.ts';
import { registerEvidenceRoute } from './evidence/evidence.route.ts';
import { createReceiptMailJob, enqueueReceiptMail } from './receipts/receipt-mail.ts';
import { registerReceiptRoute } from './receipts/receipt.route.ts';
import { readReceipt, signReceipt, type ReceiptContent } from './receipts/receipt.ts';
import { createAskAgainJob, createAskEndingJob } from './records/ask-again.ts';
import { registerConsentRecordRoutes } from './records/consent-records.route.ts';

const EXPIRE_MS = 30_000;

export interface ConsentOptions {
  emit: Emit;
  /** Denies the authorization requests that rest on a withdrawn consent. */
  denyRequests: DenyRequests;
  /** Enqueues the fetching of what a consent permits to be fetched. */
  fetchRecords: FetchRecords;
}

export interface Consent extends Wing {
  /** What a decision sets off, for those who let patients decide. */
  decisions: DecisionDeps;
  /** Returns the receipt as a compact JWS; null when the patient has no such record. */
  signReceipt(patientId: PatientId, consentRecordId: ConsentRecordId): Promise<string | null>;
  /** Returns what that receipt says; null likewise. */
  readReceipt(patientId: PatientId, consentRecordId: ConsentRecordId): Promise<ReceiptContent | null>;
}

/** Decisions of patients, the records of them, and receipts. The gate that asks for them is a function: `consent/access`. */
export function openConsent(platform: Platform, identity: Identity, options: ConsentOptions): Consent {
  const { db, clock, objects, jobs, audit, keys, baseUrl, consentAppUrl, send } = platform;
  const decisions: DecisionDeps = {
    clock,
    audit,
    emit: options.emit,
    denyRequests: options.denyRequests,
    fetchRecords: options.fetchRecords,
    mailReceipt: (tx, decision) => enqueueReceiptMail(tx, jobs, decision),
  };
  const receipts = { db, clock, keys, baseUrl, consentAppUrl };
  const asking = { db, clock, jobs, consentAppUrl };
  return {
    decisions,
    signReceipt: (patientId, consentRecordId) => signReceipt(receipts, { patientId, consentRecordId }),
    readReceipt: (patientId, consentRecordId) => readReceipt(receipts, { patientId, consentRecordId }),
    registerRoutes(routes) {
      const { requireOwnProject } = identity;
      registerConsentRoutes(routes, { db, jobs, consentAppUrl, requireOwnProject, ...decisions });
      registerConsentRecordRoutes(routes, {
        db,
        clock,
        objects,
        audit,
        requireOwnProject: identity.requireOwnProject,
      });
      registerReceiptRoute(routes, { ...receipts, audit });
      registerEvidenceRoute(routes, { ...receipts, objects, audit });
    },
    attentionChecks: [createConsentAttention(db)],
    purge: () => purgeDrafts({ db, clock }),
    quickJobs: [createReceiptMailJob({ ...receipts, send }), createAskAgainJob(asking)],
    recurringJobs: [
      createAskEndingJob(asking),
      createRecurringJob('consent.expire', EXPIRE_MS, (signal) =>
        emitExpiryEvents({ db, clock, emit: options.emit }, signal),
      ),
    ],
  };
}
