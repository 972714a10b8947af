import { z } from 'zod';
import { Person } from '../account/account.ts';
import { ReadingConsent } from '../account/consent.ts';
import { ConsentRecordId, ScreenshotId } from '../brands.ts';
import { ConsentScopes } from '../data-categories.ts';
import { defineEndpoint } from '../endpoint.ts';
import { BrandedOrganization } from '../organization/brand.ts';
import { Contact, ProjectContent } from '../organization/projects.ts';
import { DecisionTerms } from './decision-terms.ts';
import {
  ConfirmedPersonId,
  DRAFT_SCREEN_LIMIT,
  DraftSaved,
  DraftScreen,
  DraftScreenAdded,
  EVIDENCE_LIMITS,
  ReviewDraft,
  SavedDraft,
  ScreenName,
} from './review-draft.ts';
import { Instant } from '../instant.ts';

const tag = 'Consent page';

/** The person's last consent to the project, so that the page can show what has changed. */
export const PreviousConsent = ConsentScopes.extend({
  decidedAt: z.iso.datetime(),
  inForce: z.boolean().describe('It is in force; a new decision replaces it'),
  expiresAt: z.iso.datetime(),
  sameContent: z.boolean().describe("The project's content has not changed since"),
  content: ProjectContent.nullable().describe('The content of that time, when it has changed since'),
  samePage: z.boolean().describe('The consent page has not changed since'),
  consentRecordId: ConsentRecordId,
  clients: z.array(z.string().nullable()).describe('Names of other apps that read under it now'),
  grant: ConsentScopes.nullable().describe(
    'What the requesting app was let read, while that lasts; null: nothing',
  ),
}).meta({ id: 'PreviousConsent' });
export type PreviousConsent = z.infer<typeof PreviousConsent>;

/** An authorization request as the consent page shows it: the requester, the request and its progress. */
export const Interaction = z
  .object({
    status: z
      .enum(['pending', 'processing', 'ready', 'denied', 'closed'])
      .describe(
        'ready and denied: send the browser to /oauth/complete/{requestId}; closed: completed already',
      ),
    expiresAt: z.iso.datetime(),
    client: z.object({
      name: z.string().nullable().describe('As the client calls itself; unverified'),
      verifiedHost: z
        .string()
        .nullable()
        .describe('The host of the client metadata document; null for a client that registered itself'),
      redirectHost: z.string().describe('The target of the redirect: a host, or the scheme of an app'),
      onThisDevice: z.boolean().describe('The redirect goes to a program on this device'),
      registeredAt: z.iso
        .datetime()
        .nullable()
        .describe('When it registered itself; null for a verified client'),
      looksLike: z
        .string()
        .nullable()
        .describe(
          'A well-known name that its unverified name, or the scheme that its answer goes to, is easily mistaken for',
        ),
      about: z
        .object({
          clientUri: z.url().nullable(),
          policyUri: z.url().nullable(),
          tosUri: z.url().nullable(),
          contacts: z.array(z.string()),
        })
        .nullable()
        .describe(
          'What the client says about itself, unverified: https addresses of names, and e-mail addresses',
        ),
      knownBy: z
        .string()
        .nullable()
        .describe('The organization, where it vouches for this very app; null: nobody does'),
      letIn: z.boolean().describe('false: the organization does not let the app in, and no consent is taken'),
    }),
    organization: BrandedOrganization.extend({
      contact: Contact.nullable().describe('Who answers questions'),
    }),
    project: z.object({
      id: z.string(),
      name: z.string(),
      purpose: z.string().nullable().describe("In the organization's words"),
      studySnapshotId: z.string().describe('The version of the content; the decision refers to it'),
      content: ProjectContent.nullable(),
    }),
    previous: PreviousConsent.nullable().describe(
      'The last consent of the signed-in person to this project, in force or not',
    ),
    reading: z
      .array(ReadingConsent)
      .describe(
        'By which consents of the signed-in person the organization reads now, in any of its projects',
      ),
    shortForm: z
      .boolean()
      .describe(
        'The same app asks again and nothing has changed: a yes to what it has already may be made on the screen `review-short`',
      ),
    scopes: z.array(z.string()),
    offlineAccess: z
      .boolean()
      .describe('The client may read while the patient is away, without a new request'),
    consentUntil: z.iso.datetime().describe('When a consent given now expires'),
    person: Person.nullable().describe('Who is signed in in this browser'),
    draft: ReviewDraft.nullable().describe('Of the signed-in person in this browser, while it is pending'),
    eligible: z.boolean().describe('The signed-in person may decide this request'),
    progress: z.array(
      z.object({
        source: z.string().describe('uploads, or the name of a connected source'),
        state: z
          .enum(['waiting', 'running', 'done', 'later', 'failed'])
          .describe('later: it does not answer now, is not waited for, and is fetched when it does'),
      }),
    ),
  })
  .meta({ id: 'Interaction' });
export type Interaction = z.infer<typeof Interaction>;

const shared = { tag, audience: ['anyone', 'patient-session'], page: true } as const;

export const getInteraction = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/oauth/interaction/{requestId}',
  name: 'getInteraction',
  summary: 'An authorization request, for the browser that began it',
  response: Interaction,
  refusals: {
    403: 'other_browser: the request was begun in another browser',
    404: 'There is no such request',
    410: 'request_expired',
  },
});

const DRAFT_REFUSALS = {
  401: 'Nobody is signed in',
  403: 'csrf, other_browser, or not_eligible: the signed-in person may not decide this request',
  404: 'There is no such request',
  410: 'request_expired',
} as const;

export const saveInteractionDraft = defineEndpoint({
  tag,
  audience: ['patient-session'],
  page: true,
  method: 'POST',
  path: '/oauth/interaction/{requestId}/draft',
  name: 'saveInteractionDraft',
  summary: 'Keeps what the person has chosen so far, for this browser, until they decide',
  body: SavedDraft,
  storeUse: 'reads',
  response: DraftSaved,
  refusals: {
    400: 'invalid_input',
    ...DRAFT_REFUSALS,
    409: 'already_decided; person_changed: the signed-in person is not the one in `personId` or `confirmedAs`',
  },
});

export const addInteractionScreen = defineEndpoint({
  tag,
  audience: ['patient-session'],
  page: true,
  method: 'POST',
  path: '/oauth/interaction/{requestId}/screens',
  name: 'addInteractionScreen',
  summary: 'Keeps the picture of a screen that the person has seen, for a decision that names it',
  body: DraftScreen,
  bodyLimit: DRAFT_SCREEN_LIMIT,
  storeUse: 'reads',
  response: DraftScreenAdded,
  refusals: {
    400: 'invalid_input: no PNG image, too many, or too large',
    ...DRAFT_REFUSALS,
    409: 'already_decided; person_changed: the signed-in person is not the one in `personId` or `confirmedAs`',
  },
});

export const InteractionDecision = DecisionTerms.extend({
  decision: z.enum(['grant', 'deny']),
  replaces: ConsentRecordId.nullable()
    .optional()
    .describe('The consent in force that the page showed; null: none'),
  interactions: z
    .array(
      z.object({
        screen: ScreenName,
        action: z.string().regex(/^[a-z-]{1,40}$/),
        at: Instant,
      }),
    )
    .max(200)
    .default([])
    .describe('The screens that the patient went through'),
  confirmedAs: z
    .string()
    .max(320)
    .optional()
    .describe('The e-mail address that the person confirmed on the page'),
  personId: ConfirmedPersonId,
  screens: z
    .array(ScreenshotId)
    .max(EVIDENCE_LIMITS.screenshots)
    .default([])
    .describe('The pictures of the draft that are the evidence; required to grant'),
  draftChangedAt: Instant.nullable()
    .optional()
    .describe('`changedAt` of the choices that the page showed; null: nothing was chosen yet'),
  decisionKey: z
    .uuid()
    .optional()
    .describe('The same decision sent again, after an answer that was lost, is answered as the first time'),
});
export type InteractionDecision = z.infer<typeof InteractionDecision>;

export const decideInteraction = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/oauth/interaction/{requestId}',
  name: 'decideInteraction',
  summary: "Records the patient's decision",
  body: InteractionDecision,
  response: z.object({ status: z.enum(['processing', 'ready', 'denied']) }),
  refusals: {
    400: 'invalid_input; evidence_required: a grant without the pictures of what it grants',
    401: 'Nobody is signed in',
    403: 'csrf, other_browser; not_eligible: the signed-in person may not decide this request; client_blocked, client_not_vouched: the organization does not let the app in',
    404: 'There is no such request',
    409: 'already_decided; person_changed: the signed-in person is not the one in `personId` or `confirmedAs`, where the decision is a grant; content_changed, consent_changed: the project has changed its content, or the person what they share, since the page was loaded; choices_changed: something else was chosen since, in another tab; full_review_required: the short form may not stand for the whole review any more',
    410: 'request_expired',
  },
});
