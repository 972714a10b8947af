import type { z } from 'zod';
import type { PatientSession } from '../../../../contract/audience.ts';
import type { DraftScreen, SavedDraft } from '../../../../contract/oauth/review-draft.ts';
import { requireConfirmedPerson, type ConfirmedPerson } from '../../../consent/decisions/confirmed-person.ts';
import {
  addDraftScreen,
  saveDraft,
  type DraftDeps,
  type DraftKey,
  type OpenDraft,
} from '../../../consent/decisions/draft.ts';
import { forbidden, Refusal } from '../../../platform/kernel/refusal.ts';
import { isEligible } from './eligibility.ts';
import type { RequestRow } from './requests.sql.ts';

/** The draft of a person belongs to the request and to the browser that began it. */
export const getDraftKey = (request: RequestRow, { patientId }: PatientSession): DraftKey => ({
  patientId,
  subject: `request/${request.request_id}`,
  browserHash: request.browser_hash,
});

interface DraftInput<Body> {
  request: RequestRow;
  session: PatientSession;
  body: Body;
}

/** Keeps what a person has chosen so far of what an app requests. */
export const saveInteractionDraft = (deps: DraftDeps, input: DraftInput<z.infer<typeof SavedDraft>>) =>
  saveDraft(deps, requireOpenRequest(input), input.body);

/** Keeps the picture of a screen that they have seen. */
export const addInteractionScreen = (deps: DraftDeps, input: DraftInput<DraftScreen>) =>
  addDraftScreen(deps, requireOpenRequest(input), input.body);

/** A draft ends with its request. */
function requireOpenRequest({ request, session, body }: DraftInput<ConfirmedPerson>): OpenDraft {
  requireConfirmedPerson(session, body);
  if (!isEligible(session, request.organization_id))
    throw forbidden('This account cannot take part in this project.', 'not_eligible');
  if (request.status !== 'pending')
    throw new Refusal(409, 'already_decided', { detail: 'This request was decided before.' });
  return {
    key: getDraftKey(request, session),
    since: request.created_at,
    expiresAt: request.expires_at,
  };
}
