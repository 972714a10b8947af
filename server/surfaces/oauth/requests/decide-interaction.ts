import type { InteractionDecision } from '../../../../contract/oauth/interaction.ts';
import type { PatientSession } from '../../../../contract/audience.ts';
import { requireConfirmedPerson } from '../../../consent/decisions/confirmed-person.ts';
import { resolveConsentExpiry } from '../../../consent/decisions/consent-duration.ts';
import type { ScreenshotRow } from '../../../consent/decisions/consent.sql.ts';
import { toDataScopes, toWithheldMask } from '../../../consent/access/sensitivity-labels.ts';
import { validateEvidence } from '../../../consent/decisions/evidence.ts';
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
import { denyRequest, grantRequest, type RequestRow } from './requests.sql.ts';

export interface DecideDeps extends DecisionDeps {
  db: Db;
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

/** Records the decision on a request, once. A denial needs no session; a consent does. */
export function decideInteraction(
  deps: DecideDeps,
  { request, session, body }: DecisionInput,
): Promise<{ status: 'processing' | 'ready' | 'denied' }> {
  if (body.decision === 'deny') return deny(deps, request, session);
  if (!session) throw new Refusal(401, 'not_signed_in', { detail: 'Sign in to decide.' });
  requireConfirmedPerson(session, body.confirmedAs);
  return grant(deps, { request, session, body });
}

async function deny(
  { db, clock, audit }: DecideDeps,
  request: RequestRow,
  session: PatientSession | null,
): Promise<{ status: 'denied' }> {
  await db.tx(async (tx) => {
    if (!(await maybeOne(tx, denyRequest(request.request_id, clock.now())))) throw alreadyDecided();
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
  // A megabyte of pictures; a denial is small.
  deps.db.capacity.require('reads');
  const now = deps.clock.now();
  const expiresAt = resolveConsentExpiry(body.duration, now);
  const screenshots = await validateEvidence(body.screenshots, { since: request.created_at, now });
  const progress = await planProgress(deps.sources, session.patientId, request.project_id);
  const status = progress.length === 0 ? 'ready' : 'processing';
  const accepted = { request, session, body, expiresAt, screenshots, progress, status } as const;
  await deps.db.tx((tx) => writeGrant(tx, deps, accepted), { plans: 'kept' });
  return { status };
}

interface AcceptedDecision {
  request: RequestRow;
  session: PatientSession;
  body: InteractionDecision;
  expiresAt: Date;
  screenshots: readonly ScreenshotRow[];
  progress: readonly SourceProgress[];
  status: 'processing' | 'ready';
}

async function writeGrant(tx: Tx, deps: DecideDeps, accepted: AcceptedDecision): Promise<void> {
  const { request, session, body, progress, status } = accepted;
  const { patientId } = session;
  const { request_id: requestId, project_id: projectId, client_id: clientId } = request;
  const now = deps.clock.now();
  const grantId = generateId<NonNullable<RequestRow['grant_id']>>();
  const fromNow = (ms: number): Date => new Date(now.getTime() + ms);
  const update = { requestId, patientId, grantId, status, progress: JSON.stringify(progress), now };
  if (!(await maybeOne(tx, grantRequest({ ...update, expiresAt: fromNow(REQUEST_LIFETIME_MS) }))))
    throw alreadyDecided();
  const input = { ...toConsentInput(accepted, now), uiHash: deps.uiHash };
  const { consentRecordId, organizationId } = await giveConsent(tx, deps, input);
  const { expiresAt } = input;
  const withheld = toWithheldMask(input.scopes);
  // What an app gets by its newest decision, its earlier grants do not exceed.
  await tx.query(limitGrants({ patientId, projectId, clientId, withheld, expiresAt }));
  await tx.query(
    insertGrant({
      patientId,
      grantId,
      organizationId,
      projectId,
      clientId,
      clientName: request.client_name,
      resource: request.resource,
      ...resolveRefreshability(request, body),
      consentRecordId,
      withheld,
      now,
      expiresAt: expiresAt < fromNow(MAX_GRANT_MS) ? expiresAt : fromNow(MAX_GRANT_MS),
    }),
  );
  if (status === 'processing')
    await deps.jobs.enqueue<PrepareJob>(tx, {
      kind: PREPARE_JOB,
      uniqueKey: requestId,
      payload: { requestId },
    });
}

/** Specially protected classes are shared only where the patient chose them. */
const toConsentInput = (
  { request, session, body, expiresAt, screenshots }: AcceptedDecision,
  now: Date,
): Omit<AppConsentInput, 'uiHash'> => ({
  patientId: session.patientId,
  projectId: request.project_id,
  scopes: toDataScopes(body.consentDataResourceScopes, body.consentDataSensitivityScopes ?? ['NORMAL']),
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
  screenshots,
});

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
