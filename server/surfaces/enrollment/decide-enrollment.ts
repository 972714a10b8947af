import type { EnrollmentDecision } from '../../../contract/account/enrollments.ts';
import type { PatientSession } from '../../../contract/audience.ts';
import type { ConsentRecordId } from '../../../contract/brands.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import { toDataScopes } from '../../consent/access/sensitivity-labels.ts';
import { resolveConsentExpiry } from '../../consent/decisions/consent-duration.ts';
import { INVITATION_FLOW, type DecisionDeps } from '../../consent/decisions/decide.ts';
import { selectDecisionByKey } from '../../consent/decisions/consent.sql.ts';
import { endDraft, takeEvidence, takeSeenScreens } from '../../consent/decisions/draft.ts';
import { decideOnPage, type PageDecision } from '../../consent/decisions/give-consent.ts';
import { maybeOne, type Db, type Tx } from '../../platform/db/db.ts';
import { invalidInput, Refusal } from '../../platform/kernel/refusal.ts';
import { getDraftKey, requireInvited } from './enrollment-draft.ts';
import type { InvitingProjectRow } from './enrollment.sql.ts';

export interface DecideDeps extends DecisionDeps {
  db: Db;
  /** Where pictures are. */
  objects: Objects;
  /** The hash of the built page that the person decides on. */
  uiHash: string;
}

interface DecisionInput {
  project: InvitingProjectRow;
  session: PatientSession;
  /** The secret cookie of the browser. */
  browser: string;
  body: EnrollmentDecision;
}

/**
 * Records a decision on one consent that a project asks for. Only those who take part in the project decide here: an address
 * proves nothing, so nobody is enrolled by following a link. A no is a record as a yes is; the same decision sent again, after
 * its answer was lost, is answered as the first time.
 */
export async function decideEnrollment(deps: DecideDeps, input: DecisionInput): Promise<ConsentRecordId> {
  const { project, session, body } = input;
  requireInvited(project, session, body);
  const decision = body.decision === 'grant' ? buildConsent(deps, input) : buildRefusal(deps, input);
  try {
    const { consentRecordId } = await deps.db.tx((tx) => decideOnPage(tx, deps, decision), { plans: 'kept' });
    return consentRecordId;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'already_decided' || body.decisionKey === undefined)
      throw error;
    const same = await maybeOne(deps.db, selectDecisionByKey(decision, body.decisionKey));
    if (!same) throw error;
    return same.consent_record_id;
  }
}

function buildConsent(deps: DecideDeps, input: DecisionInput): PageDecision {
  const { body } = input;
  // It takes a megabyte of pictures; a refusal is small.
  deps.db.capacity.require('reads');
  const now = deps.clock.now();
  if (body.duration === 'once')
    throw invalidInput([{ path: 'duration', message: 'must not be once where no app asks' }]);
  const expiresAt = resolveConsentExpiry(body.duration, now);
  return {
    ...buildDecision(deps, input, now),
    consentStatus: 'OPTED_IN',
    // Specially protected classes are shared only where the person chose them.
    scopes: toDataScopes(body.consentDataResourceScopes, body.consentDataSensitivityScopes ?? ['NORMAL']),
    expiresAt,
    takeScreenshots: async (tx) =>
      takeEvidence(tx, await endNamedDraft(tx, { ...input, uiHash: deps.uiHash, now }), { terms: body }),
  };
}

function buildRefusal(deps: DecideDeps, input: DecisionInput): PageDecision {
  const now = deps.clock.now();
  return {
    ...buildDecision(deps, input, now),
    consentStatus: 'OPTED_OUT',
    scopes: null,
    expiresAt: null,
    takeScreenshots: async (tx) =>
      takeSeenScreens(tx, await endNamedDraft(tx, { ...input, uiHash: deps.uiHash, now })),
  };
}

async function endNamedDraft(
  tx: Tx,
  { project, session, browser, body, uiHash, now }: DecisionInput & { uiHash: string; now: Date },
): Promise<Parameters<typeof takeSeenScreens>[1]> {
  const key = getDraftKey(session, { projectId: project.project_id, consentType: body.consentType }, browser);
  return { draft: await endDraft(tx, key, now), uiHash, now, named: body.screens };
}

const buildDecision = (
  { uiHash }: DecideDeps,
  input: DecisionInput,
  now: Date,
): Omit<PageDecision, 'consentStatus' | 'scopes' | 'expiresAt' | 'takeScreenshots'> => {
  const { project, session, body } = input;
  return {
    patientId: session.patientId,
    projectId: project.project_id,
    consentType: body.consentType,
    enrolls: false,
    replaces: body.replaces,
    studySnapshotId: body.studySnapshotId,
    uiFlow: INVITATION_FLOW,
    uiHash,
    stats: {
      sessionLength: Math.round((now.getTime() - getBeginning(input, now).getTime()) / 1000),
      interactions: body.interactions,
    },
    client: 'direct',
    clientName: null,
    language: body.language,
    representative: body.representative,
    decisionKey: body.decisionKey ?? null,
  };
};

/** The person went through the screens since the first of them, by the clock of their device, but not before they signed in. */
function getBeginning({ session, body }: DecisionInput, now: Date): Date {
  const first = new Date(body.interactions[0]?.at ?? now);
  return first > now ? now : first < session.signedInAt ? session.signedInAt : first;
}
