import { z } from 'zod';
import { Person } from './account.ts';
import { endpoint } from './endpoint.ts';

const tag = 'Consent page';

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
    }),
    organization: z.object({ name: z.string() }),
    project: z.object({
      id: z.string(),
      name: z.string(),
      purpose: z.string().nullable().describe("In the organization's words"),
    }),
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

const shared = { tag, audience: ['anyone'], page: true } as const;

export const getInteraction = endpoint({
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

export const InteractionDecision = z.object({
  decision: z.enum(['grant', 'deny']),
  interactions: z
    .array(
      z.object({
        screen: z.string().regex(/^[a-z-]{1,40}$/),
        action: z.string().regex(/^[a-z-]{1,40}$/),
        at: z.iso.datetime({ offset: true }),
      }),
    )
    .max(200)
    .default([])
    .describe('The screens the patient went through'),
  confirmedAs: z
    .string()
    .max(320)
    .optional()
    .describe('The e-mail address that the person confirmed to be theirs on the page'),
});
export type InteractionDecision = z.infer<typeof InteractionDecision>;

export const decideInteraction = endpoint({
  ...shared,
  method: 'POST',
  path: '/oauth/interaction/{requestId}',
  name: 'decideInteraction',
  summary: "The patient's decision; x-csrf-token from /account/session proves that it comes from the page",
  body: InteractionDecision,
  response: z.object({ status: z.enum(['processing', 'ready', 'denied']) }),
  refusals: {
    401: 'Nobody is signed in',
    403: 'csrf, other_browser, or not_eligible: the signed-in person may not decide this request',
    404: 'There is no such request',
    409: 'already_decided, or person_changed: somebody else is signed in now than `confirmedAs` says',
    410: 'request_expired',
  },
});
