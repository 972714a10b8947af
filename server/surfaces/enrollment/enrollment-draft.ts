import type { z } from 'zod';
import type { addEnrollmentScreen, saveEnrollmentDraft } from '../../../contract/account/enrollments.ts';
import type { ConsentType } from '../../../contract/account/consent.ts';
import type { PatientSession } from '../../../contract/audience.ts';
import type { ProjectId } from '../../../contract/brands.ts';
import { requireConfirmedPerson, type ConfirmedPerson } from '../../consent/decisions/confirmed-person.ts';
import {
  addDraftScreen,
  saveDraft,
  type DraftDeps,
  type DraftKey,
  type OpenDraft,
} from '../../consent/decisions/draft.ts';
import { parseVersion } from '../../identity/organizations/version-content.ts';
import { forbidden, Refusal } from '../../platform/kernel/refusal.ts';
import { hashSecret } from '../../platform/kernel/secret.ts';
import type { InvitingProjectRow } from './enrollment.sql.ts';

/** How long a draft stays that nothing is added to; an invitation itself does not expire. */
const DRAFT_LIFETIME_MS = 24 * 3600 * 1000;

interface Subject {
  projectId: ProjectId;
  consentType: ConsentType;
}

/** The draft of a person on one consent that a project asks for, in one browser; `browser`: its secret. */
export const getDraftKey = (
  { patientId }: Pick<PatientSession, 'patientId'>,
  { projectId, consentType }: Subject,
  browser: string,
): DraftKey => ({
  patientId,
  subject: `project/${projectId}/${consentType}`,
  browserHash: hashSecret(browser),
});

interface DraftInput<Body> {
  project: InvitingProjectRow;
  session: PatientSession;
  browser: string;
  body: Body;
}

/** Keeps what a person has chosen so far of one consent. */
export const saveDraftOfEnrollment = (
  deps: DraftDeps,
  input: DraftInput<z.infer<(typeof saveEnrollmentDraft)['body']>>,
) => saveDraft(deps, requireAskedConsent(deps, input), input.body);

/** Keeps the picture of a screen that they have seen. */
export const addScreenOfEnrollment = (
  deps: DraftDeps,
  input: DraftInput<z.infer<(typeof addEnrollmentScreen)['body']>>,
) => addDraftScreen(deps, requireAskedConsent(deps, input), input.body);

function requireAskedConsent(
  { clock }: DraftDeps,
  { project, session, browser, body }: DraftInput<ConfirmedPerson & { consentType: ConsentType }>,
): OpenDraft {
  const { consentType } = body;
  requireInvited(project, session, body);
  return {
    key: getDraftKey(session, { projectId: project.project_id, consentType }, browser),
    since: session.signedInAt,
    expiresAt: new Date(clock.now().getTime() + DRAFT_LIFETIME_MS),
  };
}

/** Only those who take part in the project decide here, on what it asks for. */
export function requireInvited(
  project: InvitingProjectRow,
  session: PatientSession,
  body: ConfirmedPerson & { consentType: ConsentType },
): void {
  if (!project.enrolled) throw forbidden('This account was not invited to this project.', 'not_invited');
  requireConfirmedPerson(session, body);
  if (!parseVersion(project).consentTypes.some(({ type }) => type === body.consentType))
    throw new Refusal(400, 'not_asked', { detail: 'The project does not ask for this consent.' });
}
