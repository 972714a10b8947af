import { z } from 'zod';
import { ConsentRecordId, ProjectId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';
import { InteractionDecision, PreviousConsent } from '../oauth/interaction.ts';
import {
  DRAFT_SCREEN_LIMIT,
  DraftSaved,
  DraftScreen,
  DraftScreenAdded,
  ReviewDraft,
  SavedDraft,
} from '../oauth/review-draft.ts';
import { BrandedOrganization } from '../organization/brand.ts';
import { Contact, ProjectContent } from '../organization/projects.ts';
import { Person } from './account.ts';
import { ConsentTitles, ConsentType, ReadingConsent } from './consent.ts';

const tag = 'Consent page';

/** Why a person is asked to decide. `expires_soon`: within 14 days. Nobody who said no is asked again. */
export const AskReason = z.enum(['new', 'words_changed', 'expires_soon', 'expired']);
export type AskReason = z.infer<typeof AskReason>;

/** A consent that a project asks for, and how the person stands. */
const EnrollmentConsent = z
  .object({
    consentType: ConsentType,
    content: ProjectContent.nullable().describe('What the person reads about it'),
    status: z
      .enum(['undecided', 'active', 'expired', 'refused', 'withdrawn'])
      .describe('refused: the person said no where nothing was shared; withdrawn: they ended a consent'),
    decision: z
      .object({
        consentRecordId: ConsentRecordId,
        decidedAt: z.iso.datetime(),
        expiresAt: z.iso.datetime(),
      })
      .nullable()
      .describe('The newest decision'),
    asked: AskReason.nullable().describe('null: nothing is asked now'),
    previous: PreviousConsent.nullable().describe('The last yes, in force or not'),
    draft: ReviewDraft.nullable().describe('Of the person in this browser'),
  })
  .meta({ id: 'EnrollmentConsent' });
export type EnrollmentConsent = z.infer<typeof EnrollmentConsent>;

export const Enrollment = z
  .object({
    organization: BrandedOrganization.extend({
      contact: Contact.nullable().describe('Who answers questions'),
    }),
    person: Person.nullable().describe('Who is signed in in this browser'),
    enrolled: z.boolean().describe('The signed-in person was invited to the project, and takes part in it'),
    project: z
      .object({
        id: ProjectId,
        name: z.string(),
        purpose: z.string().nullable(),
        studySnapshotId: z.string().describe('The version of the content; the decision refers to it'),
      })
      .nullable()
      .describe('Only for those who were invited'),
    consents: z
      .array(EnrollmentConsent)
      .describe('What the project asks for, in its order; empty unless enrolled'),
    reading: z
      .array(ReadingConsent)
      .describe('By which consents the organization reads now, in any of its projects; only for the invited'),
    mcpUrl: z.string().nullable().describe("The project's address for apps and agents; only for the invited"),
  })
  .meta({ id: 'Enrollment' });
export type Enrollment = z.infer<typeof Enrollment>;

const shared = { tag, audience: ['anyone', 'patient-session'], page: true } as const;

export const getEnrollment = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/enrollments/{studyId}',
  name: 'getEnrollment',
  summary: 'An invitation: who invites, and what the signed-in person is asked for without an app',
  response: Enrollment,
  refusals: { 404: 'There is no such project' },
});

const EnrollmentInvitation = z.object({
  studyId: ProjectId,
  organization: z.object({ name: z.string() }),
  project: z.object({ name: z.string(), titles: ConsentTitles }),
  consentTypes: z.array(ConsentType).describe('What the project asks for without an app'),
});
export type EnrollmentInvitation = z.infer<typeof EnrollmentInvitation>;

export const listEnrollmentRequests = defineEndpoint({
  tag,
  audience: ['patient-session'],
  page: true,
  method: 'GET',
  path: '/account/enrollments',
  name: 'listEnrollmentRequests',
  summary:
    'The projects that ask the signed-in person for a decision now, and those whose page they can decide on again',
  response: z.object({
    enrollments: z.array(
      z.object({
        studyId: ProjectId,
        organization: z.object({ name: z.string() }),
        content: ProjectContent.nullable(),
        asked: z.array(z.object({ consentType: ConsentType, reason: AskReason })),
        reading: z
          .array(ReadingConsent)
          .describe('By which consents the organization reads now, in any of its projects'),
      }),
    ),
    invitations: z
      .array(EnrollmentInvitation)
      .describe('All that the person takes part in, decided or not: each can be decided again on its page'),
  }),
});

const DRAFT_REFUSALS = {
  401: 'Nobody is signed in',
  403: 'csrf, or not_invited: the signed-in person does not take part in the project',
  404: 'There is no such project',
  409: 'person_changed: the signed-in person is not the one in `personId` or `confirmedAs`',
} as const;

export const saveEnrollmentDraft = defineEndpoint({
  tag,
  audience: ['patient-session'],
  page: true,
  method: 'POST',
  path: '/account/enrollments/{studyId}/draft',
  name: 'saveEnrollmentDraft',
  summary: 'Keeps what the person has chosen so far of one consent, for this browser, until they decide',
  body: SavedDraft.extend({ consentType: ConsentType }),
  storeUse: 'reads',
  response: DraftSaved,
  refusals: {
    400: 'invalid_input; not_asked: the project does not ask for this consent',
    ...DRAFT_REFUSALS,
  },
});

export const addEnrollmentScreen = defineEndpoint({
  tag,
  audience: ['patient-session'],
  page: true,
  method: 'POST',
  path: '/account/enrollments/{studyId}/screens',
  name: 'addEnrollmentScreen',
  summary: 'Keeps the picture of a screen that the person has seen, for a decision that names it',
  body: DraftScreen.extend({ consentType: ConsentType }),
  bodyLimit: DRAFT_SCREEN_LIMIT,
  storeUse: 'reads',
  response: DraftScreenAdded,
  refusals: {
    400: 'invalid_input: no PNG image, too many, or too large; not_asked: the project does not ask for this consent',
    ...DRAFT_REFUSALS,
  },
});

export const EnrollmentDecision = InteractionDecision.extend({
  consentType: ConsentType,
  confirmedAs: z.string().max(320).describe('The e-mail address that the person confirmed on the page'),
  studySnapshotId: z.string().max(64).describe('The version that the page showed'),
  replaces: ConsentRecordId.nullable().describe('The newest decision that the page showed; null: none'),
});
export type EnrollmentDecision = z.infer<typeof EnrollmentDecision>;

export const decideEnrollment = defineEndpoint({
  tag,
  audience: ['patient-session'],
  page: true,
  method: 'POST',
  path: '/account/enrollments/{studyId}/decision',
  name: 'decideEnrollment',
  summary:
    "Records the person's decision on one consent that a project asks for, without an app; a no is kept as a record too, and ends what was shared under this consent",
  body: EnrollmentDecision,
  response: z.object({ consentRecordId: ConsentRecordId }),
  refusals: {
    400: 'invalid_input; evidence_required: a consent without the pictures of what it permits; not_asked: the project does not ask for this consent',
    401: 'Nobody is signed in',
    403: 'csrf, or not_invited: the signed-in person does not take part in the project',
    404: 'There is no such project',
    409: 'already_decided: a newer decision was made than the page showed; person_changed: the signed-in person is not the one in `personId` or `confirmedAs`; content_changed: the project has changed its content since the page was loaded; choices_changed: something else was chosen since, in another tab',
  },
});
