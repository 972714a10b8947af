import { z } from 'zod';
import { Person } from '../account/account.ts';
import {
  ConsentDataResourceScopes,
  ConsentDataSensitivityScopes,
  ConsentScopes,
} from '../data-categories.ts';
import { defineEndpoint } from '../endpoint.ts';
import { ProjectContent } from '../organization/projects.ts';

const tag = 'Consent page';

/** What the person said yes to before, so that the page can tell what is different now. */
const PreviousConsent = ConsentScopes.extend({
  decidedAt: z.iso.datetime(),
  inForce: z.boolean().describe('It holds now; a new decision takes its place'),
  expiresAt: z.iso.datetime(),
  sameContent: z.boolean().describe('The project told the same then'),
  content: ProjectContent.nullable().describe('What it told then, where it told something else'),
  samePage: z.boolean().describe('The page was the same program then'),
  clients: z.array(z.string().nullable()).describe('Names of other apps that read under it now'),
}).meta({ id: 'PreviousConsent' });
export type PreviousConsent = z.infer<typeof PreviousConsent>;

/** What the patient is asked, by whom, and how far it is. */
export const Interaction = z
  .object({
    status: z
      .enum(['pending', 'processing', 'ready', 'denied', 'closed'])
      .describe(
        'ready and denied: send the browser to /oauth/complete/{requestId}; closed: it has been there',
      ),
    expiresAt: z.iso.datetime(),
    client: z.object({
      name: z.string().nullable().describe('As the client calls itself; nobody has checked it'),
      verifiedHost: z
        .string()
        .nullable()
        .describe('The host whose metadata document this client is; null for self-registered ones'),
      redirectHost: z.string().describe('Where the answer goes: a host, or the scheme of an app'),
      onThisDevice: z.boolean().describe('The answer goes to a program on this device'),
      registeredAt: z.iso.datetime().nullable().describe('When it registered itself; null for verified ones'),
      looksLike: z
        .string()
        .nullable()
        .describe('A name that its own is easily mistaken for, and that nobody has checked'),
    }),
    organization: z.object({ name: z.string() }),
    project: z.object({
      id: z.string(),
      name: z.string(),
      purpose: z.string().nullable().describe("In the organization's words"),
      studySnapshotId: z.string().describe('The version of the content below; the decision names it'),
      content: ProjectContent.nullable(),
    }),
    previous: PreviousConsent.nullable().describe(
      'The last consent of the signed-in person to this project, whether or not it still holds',
    ),
    scopes: z.array(z.string()),
    offlineAccess: z.boolean().describe('The client may read while the patient is away, without asking anew'),
    consentUntil: z.iso.datetime().describe('When a consent that is given ends by itself'),
    person: Person.nullable().describe('Who is signed in in this browser'),
    eligible: z.boolean().describe('The signed-in person may decide this request'),
    progress: z.array(
      z.object({
        source: z.string().describe('uploads, or the name of a connected source'),
        state: z.enum(['waiting', 'running', 'done', 'failed']),
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
  summary: 'What an authorization request asks of the patient; only in the browser that began it',
  response: Interaction,
  refusals: {
    403: 'other_browser: it was begun in another browser',
    404: 'There is no such request',
    410: 'request_expired',
  },
});

/** How long a consent lasts: once is an hour of reading within a day, without coming back. */
export const ConsentDuration = z.union([
  z.enum(['once', '30-days', '90-days', '1-year']),
  z.object({
    until: z.iso
      .datetime({ offset: true })
      .describe(
        'The moment it ends, at most a year ahead: midnight after the last day, where the patient is',
      ),
  }),
]);
export type ConsentDuration = z.infer<typeof ConsentDuration>;

/** PNG images of the screens as the patient saw them; bounds of one and of all in bytes. */
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
    .describe('The screens the patient went through'),
  confirmedAs: z
    .string()
    .max(320)
    .optional()
    .describe('The e-mail address that the person confirmed to be theirs on the page'),
  consentDataResourceScopes: ConsentDataResourceScopes.default(null),
  consentDataSensitivityScopes: ConsentDataSensitivityScopes.default(null),
  duration: ConsentDuration.default('1-year'),
  studySnapshotId: z.string().max(64).optional().describe('The version that the page showed'),
  language: z.enum(['en', 'es']).default('en'),
  representative: z
    .object({
      name: z.string().trim().min(1).max(200),
      authority: z.enum(['parent', 'guardian', 'power-of-attorney', 'other']),
    })
    .nullable()
    .default(null)
    .describe('Who signs for the patient'),
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
    .describe('The evidence of a consent: PNG images, the review among them; required to grant'),
});
export type InteractionDecision = z.infer<typeof InteractionDecision>;

export const decideInteraction = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/oauth/interaction/{requestId}',
  name: 'decideInteraction',
  summary: "The patient's decision; x-csrf-token from /account/session proves that it comes from the page",
  body: InteractionDecision,
  // base64 of the evidence and the words around it.
  bodyLimit: Math.ceil(EVIDENCE_LIMITS.totalBytes / 3) * 4 + 256 * 1024,
  response: z.object({ status: z.enum(['processing', 'ready', 'denied']) }),
  refusals: {
    400: 'invalid_input; evidence_required: a grant without the screens it was made on',
    401: 'Nobody is signed in',
    403: 'csrf, other_browser, or not_eligible: the signed-in person may not decide this request',
    404: 'There is no such request',
    409: 'already_decided; person_changed: somebody else is signed in now than `confirmedAs` says; content_changed: the content of the project has changed since the page loaded it',
    410: 'request_expired',
  },
});
