import type { InteractionDecision } from '../../../../contract/oauth/interaction.ts';
import type { PatientSession } from '../../../../contract/audience.ts';
import { isConfirmedPerson, requireConfirmedPerson } from '../../../consent/decisions/confirmed-person.ts';
import { resolveConsentExpiry } from '../../../consent/decisions/consent-duration.ts';
import type { Objects } from '../../../platform/objects/objects.ts';
import { discardDraft } from '../../../consent/decisions/draft.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { planProgress, type RecordSources } from './prepare-records.ts';
import { getDraftKey } from './interaction-draft.ts';
import { denyRequest, selectRequestById, type RequestRow } from './requests.sql.ts';
import { alreadyDecided, writeGrant, type WriteGrantDeps } from './write-grant.ts';

export interface DecideDeps extends WriteGrantDeps {
  db: Db;
  /** Where pictures are. */
  objects: Objects;
  sources: RecordSources;
}

interface DecisionInput {
  request: RequestRow;
  session: PatientSession | null;
  body: InteractionDecision;
}

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

/** A denial needs no session, and is nobody's where somebody else is signed in by now; a consent needs the person's. */
async function decideOnce(deps: DecideDeps, { request, session, body }: DecisionInput): Promise<Decided> {
  if (body.decision === 'deny') {
    const isTheirs = session !== null && isConfirmedPerson(session, body);
    return deny(deps, { request, session: isTheirs ? session : null, body });
  }
  if (!session) throw new Refusal(401, 'not_signed_in', { detail: 'Sign in to decide.' });
  requireConfirmedPerson(session, body);
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
