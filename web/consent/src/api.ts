import type { z } from 'zod';
import type * as account from '../../../contract/account/account.ts';
import type * as emailChange from '../../../contract/account/email-change.ts';
import type * as enrollments from '../../../contract/account/enrollments.ts';
import type * as terms from '../../../contract/oauth/decision-terms.ts';
import type * as interaction from '../../../contract/oauth/interaction.ts';
import type * as draft from '../../../contract/oauth/review-draft.ts';
import type * as projects from '../../../contract/organization/projects.ts';
import type { Call } from '../../kit/http/call.ts';

export type Interaction = interaction.Interaction;
export type PreviousConsent = interaction.PreviousConsent;
export type ProjectContent = z.infer<typeof projects.ProjectContent>;
export type ReviewDraft = z.infer<typeof draft.ReviewDraft>;
export type DraftChoices = z.infer<typeof draft.DraftChoices>;
export type SavedDraft = z.input<typeof draft.SavedDraft>;
export type DraftScreen = z.input<typeof draft.DraftScreen>;
export type DecisionTerms = z.input<typeof terms.DecisionTerms>;
export type Decision = z.input<typeof interaction.InteractionDecision>;
export type InteractionEntry = interaction.InteractionDecision['interactions'][number];
export type Enrollment = enrollments.Enrollment;
export type EnrollmentConsent = enrollments.EnrollmentConsent;
export type EmailChange = z.infer<(typeof emailChange.openEmailChange)['response']>;
export type OpenedLink = z.infer<(typeof account.openAccountLink)['response']>;

/** What the consent app asks of the service besides signing in; the types come from the contract. */
export const createConsentApi = (call: Call) => ({
  openLink: (token: string) =>
    call<typeof account.openAccountLink>('POST /account/link', { body: { token } }),
  setPassword: (body: z.input<(typeof account.setPassword)['body']>) =>
    call<typeof account.setPassword>('POST /account/password', { body }),
  openEmailChange: (token: string) =>
    call<typeof emailChange.openEmailChange>('POST /account/email/link', { body: { token } }),
  confirmEmailChange: (token: string) =>
    call<typeof emailChange.confirmEmailChange>('POST /account/email/confirm', { body: { token } }),
  cancelEmailChange: (token: string) =>
    call<typeof emailChange.cancelEmailChange>('POST /account/email/cancel', { body: { token } }),
  getEnrollment: (studyId: string) =>
    call<typeof enrollments.getEnrollment>('GET /account/enrollments/{studyId}', { params: { studyId } }),
  decideEnrollment: (studyId: string, body: z.input<typeof enrollments.EnrollmentDecision>) =>
    call<typeof enrollments.decideEnrollment>('POST /account/enrollments/{studyId}/decision', {
      params: { studyId },
      body,
    }),
  saveEnrollmentDraft: (studyId: string, body: z.input<(typeof enrollments.saveEnrollmentDraft)['body']>) =>
    call<typeof enrollments.saveEnrollmentDraft>('POST /account/enrollments/{studyId}/draft', {
      params: { studyId },
      body,
      keepalive: true,
    }),
  addEnrollmentScreen: (studyId: string, body: z.input<(typeof enrollments.addEnrollmentScreen)['body']>) =>
    call<typeof enrollments.addEnrollmentScreen>('POST /account/enrollments/{studyId}/screens', {
      params: { studyId },
      body,
    }),
  saveInteractionDraft: (requestId: string, body: SavedDraft) =>
    call<typeof interaction.saveInteractionDraft>('POST /oauth/interaction/{requestId}/draft', {
      params: { requestId },
      body,
      keepalive: true,
    }),
  addInteractionScreen: (requestId: string, body: DraftScreen) =>
    call<typeof interaction.addInteractionScreen>('POST /oauth/interaction/{requestId}/screens', {
      params: { requestId },
      body,
    }),
  getInteraction: (requestId: string) =>
    call<typeof interaction.getInteraction>('GET /oauth/interaction/{requestId}', { params: { requestId } }),
  decideInteraction: (requestId: string, body: Decision) =>
    call<typeof interaction.decideInteraction>('POST /oauth/interaction/{requestId}', {
      params: { requestId },
      body,
    }),
});

export type ConsentApi = ReturnType<typeof createConsentApi>;
