import { enrollByConsent } from '../../identity/patients/patients.sql.ts';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { ConsentStatus, ConsentType } from '../../../contract/account/consent.ts';
import type {
  ConsentRecordId,
  DataMask,
  OrganizationId,
  PatientId,
  ProjectId,
} from '../../../contract/brands.ts';
import { toActor, type Audit, type AuditEntry } from '../../platform/audit/append.ts';
import { maybeOne, one, type Tx } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { forbidden, invalidInput } from '../../platform/kernel/refusal.ts';
import { toGrantDto, toPartsDto } from './grant-dto.ts';
import {
  ALL_LABELS,
  combineMasks,
  FETCHED_RESTRICTED,
  ALL_DATA_SCOPES,
  toScopesDto,
  toWithheldMask,
  type DataScopes,
} from '../access/sensitivity-labels.ts';
import { applyToGrants, type DenyRequests, type FetchRecords } from './apply-to-grants.ts';
import type { ClientLimits } from '../grants/grants.sql.ts';
import { getMaxExpiry } from './consent-duration.ts';
import { emitConsentEvents } from './consent-events.ts';
import { getCurrentScopes, serializeParts, toStoredConsent, type ConsentPart } from './consent-parts.ts';
import * as statements from './consent.sql.ts';
import { findInForce } from './find-in-force.ts';
import type { Emit } from './new-event.ts';
import { resolveSnapshotId } from './study-snapshot.ts';

export interface DecisionDeps {
  clock: Clock;
  audit: Audit;
  denyRequests: DenyRequests;
  emit: Emit;
  fetchRecords?: FetchRecords;
  /** Mails a person the receipt of their decision; runs in the transaction of the decision. */
  mailReceipt?: (
    tx: Tx,
    decision: {
      patientId: PatientId;
      consentRecordId: ConsentRecordId;
      decidedAt: Date;
      /** Of the page it was made on; null: the one that mails to this person are in. */
      language: string | null;
    },
  ) => Promise<void>;
}

/** Which consent is decided on. */
export interface DecisionTarget {
  patientId: PatientId;
  projectId: ProjectId;
  consentType: ConsentType;
}

/** What a policy looks at; locked, so that it holds until the decision is written. */
export interface DecisionContext {
  now: Date;
  patient: statements.EnrolledPatientRow;
  /** The decision that the new one replaces. */
  previous: statements.ConsentInForceRow | null;
}

export interface DecisionTerms {
  consentStatus: ConsentStatus;
  /** null for a withdrawal, which covers what the consent covered. */
  scopes: DataScopes | null;
  /** null: a year from now, the longest there is; always null for a withdrawal, whose end means nothing. */
  expiresAt: Date | null;
  /** What the patient saw: the flow, the hash of its page, and how they went through it. */
  uiFlow: string;
  uiHash: string;
  stats: { sessionLength: number; interactions: unknown[] };
  /** The program that the decision was made with or for. */
  client: string;
  clientName?: string | null;
  /** Where parts of it end at different times. */
  parts?: readonly ConsentPart[] | null;
  /** What that program gets, where it gets less than the consent covers. */
  grant?: statements.GrantTerms | null;
  /** What that program gets in any case, which its earlier grants do not exceed; null: it was let in by no decision. */
  limits?: statements.GrantTerms | null;
  /** Of the page it was made on. */
  language?: string | undefined;
  representative?: { name: string; authority: string } | null;
  /** The organization that ended a consent, where the patient did not decide. */
  endedBy?: OrganizationCaller;
  /** The screens it was made on, validated as images. */
  screenshots?: readonly statements.ScreenshotRow[];
  /** What the page sent with it, by which the same decision is known when it is sent again. */
  decisionKey?: string | null;
}

export interface Decision extends DecisionTarget {
  /** Enrolls the patient in the project if they are not. */
  enrolls?: boolean;
  /** The policy: returns the terms of the decision, or throws why it may not be made. */
  resolveTerms(context: DecisionContext): DecisionTerms | Promise<DecisionTerms>;
  /** Writes what rests on the decision, together with it. */
  writeAlso?(written: WrittenDecision): Promise<unknown>;
}

export interface WrittenDecision {
  consentRecordId: ConsentRecordId;
  organizationId: OrganizationId;
  expiresAt: Date;
}

/** Terms of a decision that is made without a page. */
export const API_TERMS: Pick<DecisionTerms, 'uiFlow' | 'uiHash' | 'stats' | 'client' | 'language'> = {
  uiFlow: 'API',
  uiHash: 'none',
  stats: { sessionLength: 0, interactions: [] },
  client: 'direct',
};

/** The flow of a withdrawal on the patient's own page. */
export const WITHDRAWAL_FLOW = 'MY_DATA_WITHDRAWAL';

/** The flow of what an organization ended, with the enrollment: no decision of the patient. */
export const ENROLLMENT_ENDED_FLOW = 'ENROLLMENT_ENDED';

/** The flow of a decision that an organization asked for, without an app (SERVICE.md, consent record). */
export const INVITATION_FLOW = 'PER_STUDY_PRESCREEN';

/** The flow of what ended with the account. */
export const DELETION_FLOW = 'MY_DATA_DELETION';

/** The flow of a decision that only takes away. */
export const NARROWING_FLOW = 'MY_DATA_NARROWING';

/**
 * Makes a decision, whatever its policy: locks what it depends on, lets the policy check, and writes the consent record with
 * its screenshots, the decision in force, what follows from it, the event, the mail and the audit entry, all in the caller's
 * transaction.
 */
export async function decide(tx: Tx, deps: DecisionDeps, decision: Decision): Promise<WrittenDecision> {
  const { patientId, projectId } = decision;
  const context = await lockContext(tx, deps, decision);
  const terms = await decision.resolveTerms(context);
  const { previous, now } = context;
  requireFutureEnd(terms, now);
  const scopes = terms.scopes ?? getCoveredScopes(previous, now);
  const row = buildRecordRow(decision, { ...terms, scopes }, context);
  const { consent_record_id: consentRecordId, organization_id: organizationId, expires_at: expiresAt } = row;
  const written = { consentRecordId, organizationId, expiresAt };
  const withheld = computeWithheld(scopes, context);
  const { consent_status: consentStatus, consent_type: consentType } = row;
  const isNarrowing = terms.uiFlow === NARROWING_FLOW;
  const client = toClientLimits(terms);
  const applied = {
    patientId,
    projectId,
    consentType,
    consentStatus,
    withheld,
    expiresAt,
    client,
    isNarrowing,
    now,
  };
  // What an organization ended is mailed as that; test patients have no mailbox.
  const isOnPage = terms.uiFlow !== API_TERMS.uiFlow && !terms.endedBy;
  const isMailed = isOnPage && !context.patient.is_test_patient;
  await Promise.all([
    // The lock of this row orders the decisions of one patient, so that a withdrawal sees every grant decided before it.
    tx.query(
      statements.insertDecision(row, {
        ...computeInForce({ scopes, parts: terms.parts ?? null }, context),
        decisionKey: terms.decisionKey ?? null,
        screenshots: terms.screenshots ?? [],
      }),
    ),
    tx.query(statements.noteStanding(patientId, projectId, now)),
    applyToGrants(tx, deps, applied),
    decision.writeAlso?.(written),
    emitConsentEvents(tx, deps.emit, { row, scopes, previous, now, endedBy: terms.endedBy ?? null }),
    isMailed &&
      deps.mailReceipt?.(tx, { patientId, consentRecordId, decidedAt: now, language: row.language }),
    deps.audit.write(tx, buildAuditEntry(row, terms, scopes)),
  ]);
  return written;
}

/** Refuses a yes that would be over when it is written; its end was chosen before the locks were held. */
function requireFutureEnd({ consentStatus, expiresAt, uiFlow }: DecisionTerms, now: Date): void {
  if (consentStatus !== 'OPTED_IN' || expiresAt === null || expiresAt > now) return;
  const path = uiFlow === API_TERMS.uiFlow ? 'expirationTimestamp' : 'duration.until';
  throw invalidInput([{ path, message: 'must not be past' }]);
}

const buildAuditEntry = (
  row: statements.ConsentRecordRow,
  { client, endedBy, uiFlow }: DecisionTerms,
  scopes: DataScopes,
): AuditEntry => ({
  organizationId: row.organization_id,
  action: 'consent.recorded',
  actor: endedBy ? toActor(endedBy) : { kind: 'patient', id: row.patient_id },
  // Who decides on a page of ours decides without a program.
  ...((client !== 'direct' || uiFlow === API_TERMS.uiFlow) && { client }),
  projectId: row.project_id,
  patientId: row.patient_id,
  consentRecordId: row.consent_record_id,
  detail: {
    consentType: row.consent_type,
    consentStatus: row.consent_status,
    expires: row.expires_at.toISOString(),
    ...toScopesDto(scopes),
    ...(row.parts !== null && { parts: toPartsDto(row.parts) }),
    ...(row.grant && { grant: toGrantDto(row.grant) }),
  },
});

const toClientLimits = ({ client, limits }: DecisionTerms): ClientLimits | null =>
  limits ? { clientId: client, withheld: toWithheldMask(limits.scopes), expiresAt: limits.expiresAt } : null;

async function lockContext(tx: Tx, deps: DecisionDeps, decision: Decision): Promise<DecisionContext> {
  const { patientId, projectId } = decision;
  const context = await tryLock(tx, deps, decision);
  if (context) return context;
  if (!decision.enrolls) throw forbidden('The patient is not enrolled in this project.');
  await tx.query(enrollByConsent(patientId, projectId, deps.clock.now()));
  const enrolled = await tryLock(tx, deps, decision);
  if (!enrolled) throw forbidden('This account cannot take part in this project.', 'not_eligible');
  return enrolled;
}

/** Locks what a decision depends on, in this order; returns null for somebody who is not enrolled. */
async function tryLock(
  tx: Tx,
  { clock }: DecisionDeps,
  { patientId, projectId, consentType }: DecisionTarget,
): Promise<DecisionContext | null> {
  const [patient, locked] = await Promise.all([
    maybeOne(tx, statements.lockEnrolledPatient(patientId, projectId)),
    one(tx, statements.lockConsentAndTime(patientId, projectId, consentType, clock.now())),
  ]);
  const previous = locked.consent_record_id === null ? null : locked;
  return patient && { patient, previous, now: computeDecisionTime(locked.now, previous) };
}

/**
 * Computes the time of a decision: the later of the node's and the store's when the locks were held, and strictly after the
 * decision that it replaces, by a millisecond, which is how exactly records show it.
 */
const computeDecisionTime = (now: Date, previous: statements.ConsentInForceRow | null): Date =>
  new Date(Math.max(now.getTime(), (previous?.decided_at.getTime() ?? 0) + 1));

/** Computes what a decision leaves out: a test patient's records are made up only as far as they were uploaded. */
function computeWithheld(scopes: DataScopes, { patient }: DecisionContext): DataMask {
  const withheld = toWithheldMask(scopes);
  const isExempt = patient.is_test_patient && scopes.sensitivityScopes === null;
  return isExempt ? combineMasks(withheld, FETCHED_RESTRICTED) : withheld;
}

/**
 * Computes what the gates compare. A node of the version before parts reads by `withheld` until the last of them ends: it is that of
 * the one that ends last.
 */
function computeInForce(
  { scopes, parts }: { scopes: DataScopes; parts: readonly ConsentPart[] | null },
  context: DecisionContext,
): Pick<statements.DecisionInForce, 'withheld' | 'parts'> {
  if (parts === null) return { withheld: computeWithheld(scopes, context), parts };
  const masks = parts.map((part) => ({
    withheld: computeWithheld(part.scopes, context),
    expiresAt: part.expiresAt,
  }));
  const [last] = masks.toSorted((one, other) => other.expiresAt.getTime() - one.expiresAt.getTime());
  return { withheld: last?.withheld ?? ALL_LABELS, parts: masks };
}

/** Returns what a withdrawal takes back: what has ended before is no more of it. */
const getCoveredScopes = (consent: statements.ConsentInForceRow | null, now: Date): DataScopes =>
  consent ? getCurrentScopes(toStoredConsent(consent), now) : ALL_DATA_SCOPES;

const buildRecordRow = (
  { patientId, projectId, consentType }: DecisionTarget,
  terms: DecisionTerms & { scopes: DataScopes },
  { patient, previous, now }: DecisionContext,
): statements.ConsentRecordRow => ({
  patient_id: patientId,
  consent_record_id: generateId(),
  organization_id: patient.organization_id,
  project_id: projectId,
  consent_type: consentType,
  consent_status: terms.consentStatus,
  decided_at: now,
  expires_at: terms.expiresAt ?? getMaxExpiry(now),
  consent_stats: terms.stats,
  study_snapshot_id: resolveSnapshotId(projectId, patient),
  consent_ui_flow: terms.uiFlow,
  ui_hash: terms.uiHash,
  consent_data_resource_scopes: terms.scopes.resourceScopes,
  consent_data_sensitivity_scopes: terms.scopes.sensitivityScopes,
  language: terms.language ?? null,
  client_id: terms.client === 'direct' ? null : terms.client,
  client_name: terms.clientName ?? null,
  representative: terms.representative ?? null,
  grant: terms.grant ?? null,
  parts: terms.parts ? serializeParts(terms.parts) : null,
  in_force_since: findInForce(previous, now)?.in_force_since ?? null,
});
