import { z } from 'zod';
import { Person } from '../account/account.ts';
import {
  ConsentDataResourceScopes,
  ConsentDataSensitivityScopes,
  ConsentScopes,
} from '../data-categories.ts';
import { defineEndpoint } from '../endpoint.ts';
import { ConsentRecordId } from '../brands.ts';
import { Contact, ProjectContent } from '../organization/projects.ts';

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
  grant: ConsentScopes.nullable().describe('What the requesting app may read now; null: nothing'),
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
        .describe('A well-known name that its unverified name is easily mistaken for'),
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
    }),
    organization: z.object({
      name: z.string(),
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
    scopes: z.array(z.string()),
    offlineAccess: z
      .boolean()
      .describe('The client may read while the patient is away, without a new request'),
    consentUntil: z.iso.datetime().describe('When a consent given now expires'),
    person: Person.nullable().describe('Who is signed in in this browser'),
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

/** How long a consent lasts; `once`: access for an hour, within a day, without a refresh token. */
export const ConsentDuration = z.union([
  z.enum(['once', '30-days', '90-days', '1-year']),
  z.object({
    until: z.iso
      .datetime({ offset: true })
      .describe(
        "When it ends, at most a year ahead: midnight after the last day, in the patient's time zone",
      ),
  }),
]);
export type ConsentDuration = z.infer<typeof ConsentDuration>;

/** Limits of the PNG images of the screens that the patient saw, in bytes for one and for all. */
export const EVIDENCE_LIMITS = {
  screenshots: 8,
  bytes: 2 * 1024 * 1024,
  totalBytes: 6 * 1024 * 1024,
} as const;

const screenName = z.string().regex(/^[a-z-]{1,40}$/);
const dateTime = z.iso.datetime({ offset: true });

export const InteractionDecision = z.object({
  decision: z.enum(['grant', 'deny']),
  interactions: z
    .array(z.object({ screen: screenName, action: z.string().regex(/^[a-z-]{1,40}$/), at: dateTime }))
    .max(200)
    .default([])
    .describe('The screens that the patient went through'),
  confirmedAs: z
    .string()
    .max(320)
    .optional()
    .describe('The e-mail address that the person confirmed on the page'),
  consentDataResourceScopes: ConsentDataResourceScopes.default(null).describe(
    'What the app gets. A consent in force grows to cover it, and does not shrink',
  ),
  consentDataSensitivityScopes: ConsentDataSensitivityScopes.default(null),
  duration: ConsentDuration.default('1-year'),
  studySnapshotId: z.string().max(64).optional().describe('The version that the page showed'),
  replaces: ConsentRecordId.nullable()
    .optional()
    .describe('The consent in force that the page showed; null: none'),
  language: z.enum(['en', 'es']).default('en'),
  representative: z
    .object({
      name: z.string().trim().min(1).max(200),
      authority: z.enum(['parent', 'guardian', 'power-of-attorney', 'other']),
    })
    .nullable()
    .default(null)
    .describe('The person who signs for the patient'),
  screenshots: z
    .array(
      z.object({
        screen: screenName,
        takenAt: dateTime,
        contentType: z.literal('image/png'),
        data: z.base64().max(Math.ceil(EVIDENCE_LIMITS.bytes / 3) * 4),
      }),
    )
    .max(EVIDENCE_LIMITS.screenshots)
    .default([])
    .describe('The evidence of a consent: PNG images, including the review; required to grant'),
});
export type InteractionDecision = z.infer<typeof InteractionDecision>;

export const decideInteraction = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/oauth/interaction/{requestId}',
  name: 'decideInteraction',
  summary: "Records the patient's decision",
  body: InteractionDecision,
  // The evidence in base64, and 256 KiB for the rest.
  bodyLimit: Math.ceil(EVIDENCE_LIMITS.totalBytes / 3) * 4 + 256 * 1024,
  response: z.object({ status: z.enum(['processing', 'ready', 'denied']) }),
  refusals: {
    400: 'invalid_input; evidence_required: a grant without its screenshots',
    401: 'Nobody is signed in',
    403: 'csrf, other_browser, or not_eligible: the signed-in person may not decide this request',
    404: 'There is no such request',
    409: 'already_decided; person_changed: the signed-in person is not the one in `confirmedAs`; content_changed, consent_changed: the project has changed its content, or the person what they share, since the page was loaded',
    410: 'request_expired',
  },
});
