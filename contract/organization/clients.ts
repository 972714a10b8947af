import { z } from 'zod';
import { wholeNumber } from '../whole-number.ts';
import { MAX_SEARCH_LENGTH } from '../text-limits.ts';
import { ClientAppId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';
import { PlainName } from './projects.ts';
import { Instant } from '../instant.ts';
import { acceptSeveral } from '../several.ts';

export const ClientJudgement = z.enum(['new', 'vouched', 'blocked']);
export type ClientJudgement = z.infer<typeof ClientJudgement>;

const count = z.int().min(0);

/** An app: every OAuth client that has this name, this document and this redirect host. */
export const ClientApp = z
  .object({
    id: ClientAppId,
    name: z.string().nullable().describe('As it calls itself; anybody may take any name'),
    documentUrl: z
      .string()
      .nullable()
      .describe('Its client metadata document, whose host stands for it; null: it registered itself'),
    redirectHost: z
      .string()
      .nullable()
      .describe("Where its codes are sent; null: to a program on the patient's device"),
    looksLike: z
      .string()
      .nullable()
      .describe('A well-known name that its unverified name is easily mistaken for'),
    firstSeenAt: z.iso.datetime().describe('When it first asked a patient of the organization'),
    patients: count.describe('How many have it connected now'),
    reads: count.describe('How often it read somebody within 30 days; 1,000 stands for that and more'),
    lastReadAt: z.iso.datetime().nullable().describe('null: never'),
    judgement: ClientJudgement,
    note: z.string().nullable().describe('Why it was judged so; patients do not see it'),
    until: z.iso.datetime().nullable().describe('When the judgement ends by itself; null: it does not'),
    judgedAt: z.iso.datetime().nullable(),
    judgedBy: z
      .object({ kind: z.string(), id: z.string() })
      .nullable()
      .describe('As the audit log names actors'),
    blocks: z
      .string()
      .describe(
        'What a block of it acts on: `host:…`, every app of that host; `device:…`, every program on a device under that name',
      ),
  })
  .meta({ id: 'ClientApp' });
export type ClientApp = z.infer<typeof ClientApp>;

const tag = 'Apps';
const collectionPath = '/v1/organizations/{orgId}/clients';
const itemPath = `${collectionPath}/{clientId}` as const;
const notFound = {
  404: 'No patient of the organization was ever asked by such an app, or has let such a client in',
} as const;
const severalApps =
  'several_apps: the client connected as several apps, one for each host that its codes were sent to; `detail` has their ids' as const;

export const ClientsQuery = z.object({
  q: z
    .string()
    .trim()
    .min(1)
    .max(MAX_SEARCH_LENGTH)
    .optional()
    .describe('A part of its name or of one of its hosts'),
  judgement: acceptSeveral(ClientJudgement).optional(),
  connected: z.stringbool().optional().describe('true: some patient has it connected now; false: none'),
  after: ClientAppId.optional().describe('`next` of the previous page'),
  limit: wholeNumber(1, 200).prefault(50),
});
export type ClientsQuery = z.infer<typeof ClientsQuery>;

export const listClients = defineEndpoint({
  method: 'GET',
  path: collectionPath,
  name: 'listClients',
  summary: "The apps that ever asked for the record of one of the organization's patients, newest first",
  tag,
  audience: ['organization'],
  permission: 'clients.read',
  query: ClientsQuery,
  response: z.object({
    results: z.array(ClientApp),
    next: ClientAppId.nullable().describe('`after` of the next page; null: this is the last'),
  }),
});

const link = z.string().nullable();

export const ClientDetail = ClientApp.extend({
  about: z
    .object({ clientUri: link, policyUri: link, tosUri: link, contacts: z.array(z.string()) })
    .nullable()
    .describe('What it says about itself; nobody has checked it'),
  registrations: z
    .object({
      total: count,
      newest: z.array(
        z.object({
          clientId: z.string().describe('The `client_id` of OAuth'),
          patients: count,
          firstConnectedAt: z.iso.datetime(),
        }),
      ),
    })
    .describe('The clients that connected under this name; many for programs on a device. The newest twenty'),
  connections: z
    .object({
      active: count,
      expired: count,
      endedByClient: count,
      endedByPatient: count.describe('The patient disconnected it, or withdrew the consent'),
      endedForReuse: count.describe(
        'A code or a refresh token was used twice: a sign of theft, or of a faulty app',
      ),
      endedByOrganization: count.describe('By a block'),
    })
    .describe('How its connections stand or ended'),
}).meta({ id: 'ClientDetail' });
export type ClientDetail = z.infer<typeof ClientDetail>;

export const getClient = defineEndpoint({
  method: 'GET',
  path: itemPath,
  name: 'getClient',
  summary: 'One app: what it says about itself, its registrations, how its connections stand',
  tag,
  audience: ['organization'],
  permission: 'clients.read',
  response: ClientDetail,
  refusals: { ...notFound, 409: severalApps },
});

export const ClientJudging = z
  .object({
    judgement: ClientJudgement,
    note: PlainName.optional().describe('Why; required to vouch and to block, but for a dry run'),
    until: Instant.nullable().default(null).describe('When it ends by itself'),
    dryRun: z.boolean().default(false).describe('Counts what it would end, and changes nothing'),
  })
  .refine(({ judgement, note, dryRun }) => judgement === 'new' || dryRun || note !== undefined, {
    path: ['note'],
    message: 'is required to vouch and to block',
  })
  .refine(({ judgement, until }) => judgement !== 'new' || until === null, {
    path: ['until'],
    message: 'must be null where nothing is judged',
  });
export type ClientJudging = z.infer<typeof ClientJudging>;

export const judgeClient = defineEndpoint({
  method: 'PATCH',
  path: itemPath,
  name: 'judgeClient',
  summary:
    'Vouches for an app, blocks it, or takes that back. A block ends every connection through it at once, refuses it from now on, and stands in the log of each patient concerned',
  tag,
  audience: ['organization'],
  permission: 'clients.manage',
  presence: true,
  closedBody: true,
  body: ClientJudging,
  response: z.object({
    client: ClientApp,
    dryRun: z.boolean(),
    ends: z
      .object({ connections: count, patients: count })
      .describe('What the block ended, or would end; 0 for other judgements'),
    alsoCaught: z
      .array(ClientApp.pick({ id: true, name: true, redirectHost: true }))
      .describe('Other apps that the same block catches, a hundred at most'),
  }),
  refusals: {
    ...notFound,
    409: `${severalApps}; cannot_vouch: a program on a patient's device that has no document cannot be told from another that takes its name; client_blocked: take the block back first`,
  },
});
