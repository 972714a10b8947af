import type { InteractionDecision } from '../../../contract/interaction.ts';
import type { SignedIn } from '../../accounts/session.ts';
import { endOfConsent } from '../../consent/consent-duration.ts';
import type { ScreenshotRow } from '../../consent/consent.sql.ts';
import { dataScopes } from '../../consent/data-classes.ts';
import { checkEvidence } from '../../consent/evidence.ts';
import { giveConsent, type GivenConsent } from '../../consent/give-consent.ts';
import type { DecisionDeps } from '../../consent/write-decision.ts';
import type { Jobs } from '../../jobs/worker.ts';
import { newId } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { maybeOne, type Db, type Tx } from '../../storage/db.ts';
import { REQUEST_MS } from './begin-authorization.ts';
import { insertGrant } from '../grants/grants.sql.ts';
import { plannedProgress, PREPARE_JOB, type PrepareJob } from './prepare-records.ts';
import type { RecordSources, SourceProgress } from './record-sources.ts';
import { denyRequest, grantRequest, type RequestRow } from './requests.sql.ts';

export interface DecideDeps extends DecisionDeps {
  db: Db;
  jobs: Jobs;
  sources: RecordSources;
  /** The hash of the built page that the patient decides on. */
  uiHash: string;
}

interface Decided {
  request: RequestRow;
  signedIn: SignedIn | null;
  body: InteractionDecision;
}

/** The longest that refresh tokens of one grant go on, whatever the consent. */
const GRANT_MS = 90 * 24 * 3600 * 1000;

/** Saying no needs nobody to be signed in; saying yes does. Either counts once. */
export function decideInteraction(
  deps: DecideDeps,
  { request, signedIn, body }: Decided,
): Promise<{ status: 'processing' | 'ready' | 'denied' }> {
  if (body.decision === 'deny') return deny(deps, request, signedIn);
  if (!signedIn) throw new Refusal(401, 'not_signed_in', { detail: 'Sign in to decide.' });
  if (!isConfirmed(signedIn, body)) throw personChanged();
  return grant(deps, { request, signedIn, body });
}

async function deny(
  { db, clock, audit }: DecideDeps,
  request: RequestRow,
  signedIn: SignedIn | null,
): Promise<{ status: 'denied' }> {
  await db.tx(async (tx) => {
    if (!(await maybeOne(tx, denyRequest(request.request_id, clock.now())))) throw decidedBefore();
    await audit.write(tx, {
      organizationId: request.organization_id,
      action: 'oauth.denied',
      actor: signedIn ? { kind: 'patient', id: signedIn.patientId } : { kind: 'system', id: 'anonymous' },
      client: request.client_id,
      projectId: request.project_id,
      ...(signedIn && { patientId: signedIn.patientId }),
    });
  });
  return { status: 'denied' };
}

/** The request's state, the consent record and its evidence, the grant and the job, in one transaction. */
async function grant(
  deps: DecideDeps,
  { request, signedIn, body }: Decided & { signedIn: SignedIn },
): Promise<{ status: 'processing' | 'ready' }> {
  if (request.status !== 'pending') throw decidedBefore();
  const now = deps.clock.now();
  const expiresAt = endOfConsent(body.duration, now);
  const screenshots = await checkEvidence(body.screenshots, { since: request.created_at, now });
  const progress = await plannedProgress(deps.sources, signedIn.patientId, request.project_id);
  const status = progress.length === 0 ? 'ready' : 'processing';
  const granted = { request, signedIn, body, expiresAt, screenshots, progress, status } as const;
  await deps.db.tx((tx) => writeGrant(tx, deps, granted), { plans: 'kept' });
  return { status };
}

interface Granted {
  request: RequestRow;
  signedIn: SignedIn;
  body: InteractionDecision;
  expiresAt: Date;
  screenshots: readonly ScreenshotRow[];
  progress: readonly SourceProgress[];
  status: 'processing' | 'ready';
}

async function writeGrant(tx: Tx, deps: DecideDeps, granted: Granted): Promise<void> {
  const { request, signedIn, body, progress, status } = granted;
  const { patientId } = signedIn;
  const { request_id: requestId, project_id: projectId, client_id: clientId } = request;
  const now = deps.clock.now();
  const grantId = newId<NonNullable<RequestRow['grant_id']>>();
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  const taken = { requestId, patientId, grantId, status, progress: JSON.stringify(progress), now };
  if (!(await maybeOne(tx, grantRequest({ ...taken, expiresAt: after(REQUEST_MS) })))) throw decidedBefore();
  const { consentRecordId, organizationId, expiresAt } = await giveConsent(tx, deps, {
    ...consentOf(granted, now),
    uiHash: deps.uiHash,
  });
  await tx.query(
    insertGrant({
      patientId,
      grantId,
      organizationId,
      projectId,
      clientId,
      clientName: request.client_name,
      resource: request.resource,
      ...comingBack(request, body),
      consentRecordId,
      now,
      expiresAt: expiresAt < after(GRANT_MS) ? expiresAt : after(GRANT_MS),
    }),
  );
  if (status === 'processing')
    await deps.jobs.enqueue<PrepareJob>(tx, {
      kind: PREPARE_JOB,
      uniqueKey: requestId,
      payload: { requestId },
    });
}

/** A class that is protected more is shared only where it was chosen. */
const consentOf = (
  { request, signedIn, body, expiresAt, screenshots }: Granted,
  now: Date,
): Omit<GivenConsent, 'uiHash'> => ({
  patientId: signedIn.patientId,
  projectId: request.project_id,
  scopes: dataScopes(body.consentDataResourceScopes, body.consentDataSensitivityScopes ?? ['NORMAL']),
  expiresAt,
  studySnapshotId: body.studySnapshotId ?? null,
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

/** Who is let in once has nothing to come back with: the hour of the access token is all. */
const comingBack = (
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

/** Another tab may have signed in somebody else since the page asked who is there. */
const isConfirmed = ({ person }: SignedIn, { confirmedAs }: InteractionDecision): boolean =>
  confirmedAs === undefined || confirmedAs.toLowerCase() === person.email.toLowerCase();

const personChanged = (): Refusal =>
  new Refusal(409, 'person_changed', {
    detail: 'Somebody else is signed in now than when the page asked who is there.',
  });

const decidedBefore = (): Refusal =>
  new Refusal(409, 'already_decided', {
    detail: 'This request was decided before, or has expired meanwhile.',
  });
