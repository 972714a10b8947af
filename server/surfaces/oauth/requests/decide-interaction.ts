import type { InteractionDecision } from '../../../../contract/oauth/interaction.ts';
import type { PatientSession } from '../../../../contract/audience.ts';
import { requireConfirmedPerson } from '../../../consent/decisions/confirmed-person.ts';
import { resolveConsentExpiry } from '../../../consent/decisions/consent-duration.ts';
import { toDataScopes, toWithheldMask } from '../../../consent/access/sensitivity-labels.ts';
import type { Objects } from '../../../platform/objects/objects.ts';
import { discardDraft, takeEvidence } from '../../../consent/decisions/draft.ts';
import { giveConsent, type AppConsentInput } from '../../../consent/decisions/give-consent.ts';
import type { DecisionDeps } from '../../../consent/decisions/decide.ts';
import type { Jobs } from '../../../platform/jobs/worker.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import { REQUEST_LIFETIME_MS } from './begin-authorization.ts';
import { insertGrant, limitGrants } from '../../../consent/grants/grants.sql.ts';
import {
  planProgress,
  PREPARE_JOB,
  type PrepareJob,
  type RecordSources,
  type SourceProgress,
} from './prepare-records.ts';
import { admitApp } from './requesting-app.ts';
import { getDraftKey } from './interaction-draft.ts';
import { requireUnchanged, toAskingClient } from './short-form.ts';
import { denyRequest, grantRequest, selectRequestById, type RequestRow } from './requests.sql.ts';

export interface DecideDeps extends DecisionDeps {
  db: Db;
  /** Where pictures are. */
  objects: Objects;
  jobs: Jobs;
  sources: RecordSources;
  /** The hash of the built page that the patient decides on. */
  uiHash: string;
}

interface DecisionInput {
  request: RequestRow;
  session: PatientSession | null;
  body: InteractionDecision;
}

/** The longest lifetime of a grant, whatever the consent. */
const MAX_GRANT_MS = 90 * 24 * 3600 * 1000;

interface Decided {
  status: 'processing' | 'ready' | 'denied';
}

/** Records the decision on a request, once; the same one sent again, after its answer was lost, is answered likewise. */
export async function decideInteraction(deps: DecideDeps, input: DecisionInput): Promise<Decided> {
  try {
    return await decideOnce(deps, input);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'already_decided') throw error;
    const decided = await findSameDecision(deps, input);
    if (decided === null) throw error;
    return decided;
  }
}

/** Returns how the request stands where it was this decision that decided it; null otherwise. */
async function findSameDecision(
  { db }: DecideDeps,
  { request, session, body }: DecisionInput,
): Promise<Decided | null> {
  const row = await maybeOne(db, selectRequestById(request.request_id));
  if (!row || row.decision_key === null || row.decision_key !== body.decisionKey) return null;
  if (row.status === 'denied' && body.decision === 'deny') return { status: row.status };
  const isTheirs = body.decision === 'grant' && session !== null && row.patient_id === session.patientId;
  return isTheirs && (row.status === 'processing' || row.status === 'ready') ? { status: row.status } : null;
}

/** A denial needs no session; a consent does. */
async function decideOnce(deps: DecideDeps, { request, session, body }: DecisionInput): Promise<Decided> {
  if (body.decision === 'deny') return deny(deps, { request, session, body });
  if (!session) throw new Refusal(401, 'not_signed_in', { detail: 'Sign in to decide.' });
  requireConfirmedPerson(session, body.confirmedAs);
  return grant(deps, { request, session, body });
}

async function deny(
  { db, clock, audit }: DecideDeps,
  { request, session, body }: DecisionInput,
): Promise<{ status: 'denied' }> {
  const decisionKey = body.decisionKey ?? null;
  await db.tx(async (tx) => {
    if (!(await maybeOne(tx, denyRequest(request.request_id, { now: clock.now(), decisionKey }))))
      throw alreadyDecided();
    if (session) await discardDraft(tx, getDraftKey(request, session), clock.now());
    await audit.write(tx, {
      organizationId: request.organization_id,
      action: 'oauth.denied',
      actor: session ? { kind: 'patient', id: session.patientId } : { kind: 'system', id: 'anonymous' },
      client: request.client_id,
      projectId: request.project_id,
      ...(session && { patientId: session.patientId }),
    });
  });
  return { status: 'denied' };
}

/** Writes the state of the request, the consent with its evidence, the grant and the job in one transaction. */
async function grant(
  deps: DecideDeps,
  { request, session, body }: DecisionInput & { session: PatientSession },
): Promise<{ status: 'processing' | 'ready' }> {
  if (request.status !== 'pending') throw alreadyDecided();
  // It takes a megabyte of pictures; a denial is small.
  deps.db.capacity.require('reads');
  const now = deps.clock.now();
  const expiresAt = resolveConsentExpiry(body.duration, now);
  const progress = await planProgress(deps.sources, session.patientId, request.project_id);
  const status = progress.length === 0 ? 'ready' : 'processing';
  const accepted = { request, session, body, expiresAt, progress, status } as const;
  await deps.db.tx((tx) => writeGrant(tx, deps, accepted), { plans: 'kept' });
  return { status };
}

interface AcceptedDecision {
  request: RequestRow;
  session: PatientSession;
  body: InteractionDecision;
  expiresAt: Date;
  progress: readonly SourceProgress[];
  status: 'processing' | 'ready';
}

async function writeGrant(tx: Tx, deps: DecideDeps, accepted: AcceptedDecision): Promise<void> {
  const { request, session, body, progress, status } = accepted;
  const { patientId } = session;
  const appId = await admitApp(tx, request, deps.clock.now());
  const { request_id: requestId, project_id: projectId, client_id: clientId } = request;
  const now = deps.clock.now();
  const grantId = generateId<NonNullable<RequestRow['grant_id']>>();
  const fromNow = (ms: number): Date => new Date(now.getTime() + ms);
  const decisionKey = body.decisionKey ?? null;
  const update = {
    requestId,
    patientId,
    grantId,
    status,
    progress: JSON.stringify(progress),
    now,
    decisionKey,
  };
  if (!(await maybeOne(tx, grantRequest({ ...update, expiresAt: fromNow(REQUEST_LIFETIME_MS) }))))
    throw alreadyDecided();
  const input = toConsentInput(accepted, { now, uiHash: deps.uiHash });
  const { consentRecordId, organizationId } = await giveConsent(tx, deps, input);
  const { expiresAt } = input;
  const withheld = toWithheldMask(input.scopes);
  const grant = {
    patientId,
    grantId,
    organizationId,
    projectId,
    clientId,
    clientName: request.client_name,
    appId,
    redirectHost: toAskingClient(request, patientId).redirectHost,
    resource: request.resource,
    ...resolveRefreshability(request, body),
    consentRecordId,
    withheld,
    now,
    expiresAt: expiresAt < fromNow(MAX_GRANT_MS) ? expiresAt : fromNow(MAX_GRANT_MS),
  };
  const job = { kind: PREPARE_JOB, uniqueKey: requestId, payload: { requestId } } as const;
  await Promise.all([
    // What an app gets by its newest decision, its earlier grants do not exceed.
    tx.query(limitGrants({ patientId, projectId, clientId, withheld, expiresAt })),
    tx.query(insertGrant(grant)),
    status === 'processing' && deps.jobs.enqueue<PrepareJob>(tx, job),
  ]);
}

/** Specially protected classes are shared only where the patient chose them. */
const toConsentInput = (
  accepted: AcceptedDecision,
  { now, uiHash }: { now: Date; uiHash: string },
): AppConsentInput => {
  const { request, session, body, expiresAt } = accepted;
  const scopes = toDataScopes(
    body.consentDataResourceScopes,
    body.consentDataSensitivityScopes ?? ['NORMAL'],
  );
  const client = toAskingClient(request, session.patientId);
  const chosen = { scopes, expiresAt, representative: body.representative };
  return {
    patientId: session.patientId,
    projectId: request.project_id,
    scopes,
    expiresAt,
    studySnapshotId: body.studySnapshotId ?? null,
    ...(body.replaces !== undefined && { replaces: body.replaces }),
    stats: {
      sessionLength: Math.round((now.getTime() - request.created_at.getTime()) / 1000),
      interactions: body.interactions,
    },
    client: request.client_id,
    clientName: request.client_name,
    language: body.language,
    representative: body.representative,
    takeScreenshots: (tx, context) =>
      takeEvidence(
        tx,
        { key: getDraftKey(request, session), uiHash, now, named: body.screens },
        { terms: body, requireShortForm: () => requireUnchanged(tx, { client, uiHash, chosen }, context) },
      ),
    decisionKey: body.decisionKey ?? null,
    uiHash,
  };
};

/** A one-time consent gets no refresh token: access ends with the access token, after an hour. */
const resolveRefreshability = (
  { scope, refreshable }: RequestRow,
  { duration }: InteractionDecision,
): Pick<RequestRow, 'scope' | 'refreshable'> =>
  duration === 'once'
    ? {
        scope: scope
          .split(' ')
          .filter((name) => name !== 'offline_access')
          .join(' '),
        refreshable: false,
      }
    : { scope, refreshable };

const alreadyDecided = (): Refusal =>
  new Refusal(409, 'already_decided', {
    detail: 'This request was decided before or has expired.',
  });
