import type { EnrollmentDecision } from '../../../contract/account/enrollments.ts';
import type { PatientSession } from '../../../contract/audience.ts';
import type { ConsentRecordId } from '../../../contract/brands.ts';
import { toDataScopes } from '../../consent/access/sensitivity-labels.ts';
import { requireConfirmedPerson } from '../../consent/decisions/confirmed-person.ts';
import { resolveConsentExpiry } from '../../consent/decisions/consent-duration.ts';
import type { DecisionDeps } from '../../consent/decisions/decide.ts';
import { validateEvidence, validateScreenshots } from '../../consent/decisions/evidence.ts';
import { decideOnPage, type PageDecision } from '../../consent/decisions/give-consent.ts';
import { parseVersion } from '../../identity/organizations/version-content.ts';
import type { Db } from '../../platform/db/db.ts';
import { forbidden, invalidInput, Refusal } from '../../platform/kernel/refusal.ts';
import type { InvitingProjectRow } from './enrollment.sql.ts';

export interface DecideDeps extends DecisionDeps {
  db: Db;
  /** The hash of the built page that the person decides on. */
  uiHash: string;
}

interface DecisionInput {
  project: InvitingProjectRow;
  session: PatientSession;
  body: EnrollmentDecision;
}

/** What a person goes through who decides without an app (SERVICE.md, consent record). */
export const UI_FLOW = 'PER_STUDY_PRESCREEN';

/**
 * Records a decision on one consent that a project asks for. Only those who take part in the project decide here: an address
 * proves nothing, so nobody is enrolled by following a link. A no is a record as a yes is.
 */
export async function decideEnrollment(deps: DecideDeps, input: DecisionInput): Promise<ConsentRecordId> {
  const { project, session, body } = input;
  if (!project.enrolled) throw forbidden('This account was not invited to this project.', 'not_invited');
  requireConfirmedPerson(session, body.confirmedAs);
  if (!parseVersion(project).consentTypes.some(({ type }) => type === body.consentType))
    throw new Refusal(400, 'not_asked', { detail: 'The project does not ask for this consent.' });
  const decision =
    body.decision === 'grant' ? await buildConsent(deps, input) : await buildRefusal(deps, input);
  const { consentRecordId } = await deps.db.tx((tx) => decideOnPage(tx, deps, decision), { plans: 'kept' });
  return consentRecordId;
}

async function buildConsent(deps: DecideDeps, input: DecisionInput): Promise<PageDecision> {
  const { body } = input;
  // A megabyte of pictures; a refusal is small.
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
    screenshots: await validateEvidence(body.screenshots, getCaptureWindow(input, now)),
  };
}

async function buildRefusal(deps: DecideDeps, input: DecisionInput): Promise<PageDecision> {
  const now = deps.clock.now();
  return {
    ...buildDecision(deps, input, now),
    consentStatus: 'OPTED_OUT',
    scopes: null,
    expiresAt: null,
    screenshots: await validateScreenshots(input.body.screenshots, getCaptureWindow(input, now)),
  };
}

const buildDecision = (
  { uiHash }: DecideDeps,
  input: DecisionInput,
  now: Date,
): Omit<PageDecision, 'consentStatus' | 'scopes' | 'expiresAt' | 'screenshots'> => {
  const { project, session, body } = input;
  return {
    patientId: session.patientId,
    projectId: project.project_id,
    consentType: body.consentType,
    enrolls: false,
    replaces: body.replaces,
    studySnapshotId: body.studySnapshotId,
    uiFlow: UI_FLOW,
    uiHash,
    stats: {
      sessionLength: Math.round((now.getTime() - getCaptureWindow(input, now).since.getTime()) / 1000),
      interactions: body.interactions,
    },
    client: 'direct',
    clientName: null,
    language: body.language,
    representative: body.representative,
  };
};

/** The person went through the screens since the first of them, by the clock of their device, but not before they signed in. */
function getCaptureWindow({ session, body }: DecisionInput, now: Date): { since: Date; now: Date } {
  const first = new Date(body.interactions[0]?.at ?? now);
  const since = first > now ? now : first < session.signedInAt ? session.signedInAt : first;
  return { since, now };
}
