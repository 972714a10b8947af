import { z } from 'zod';
import { SOURCE_LIMITS } from '../text-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import { OrganizationId, ProjectId, SourceId } from '../brands.ts';
import { httpsAddress } from '../https-address.ts';
import { PlainName } from './projects.ts';
import { PageQuery } from '../page-query.ts';
import { SourceState } from './source-syncs.ts';

/** Visible ASCII, as headers carry it (RFC 6750 §2.1). */
const visibleAscii = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces');

/** The most connected sources that an organization may have. */
export const MAX_SOURCES = 50;

const httpsUrl = httpsAddress(SOURCE_LIMITS.url).refine(
  (text) => !/[?#@]/.test(text),
  'must hold no query, fragment or credentials',
);

const scope = z
  .string()
  .min(1)
  .max(SOURCE_LIMITS.scope)
  .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be scopes, separated by single spaces');

/** How this service authenticates to the server. */
export const SourceAuthentication = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('smart_backend_services'),
    clientId: visibleAscii(SOURCE_LIMITS.clientId).describe(
      'The client id under which the server registered this source with its jwksUrl',
    ),
    tokenEndpoint: httpsUrl
      .nullable()
      .default(null)
      .describe('null: from the discovery document of the server'),
    scope: scope.nullable().default(null).describe('null: system/*.rs, or system/*.read of older servers'),
  }),
  z.object({ type: z.literal('bearer'), secret: visibleAscii(SOURCE_LIMITS.secret).describe('Write-only') }),
  z.object({ type: z.literal('none') }),
]);
export type SourceAuthentication = z.infer<typeof SourceAuthentication>;

const system = visibleAscii(SOURCE_LIMITS.system).describe(
  'The identifier system of the external ids given at enrollment',
);
const requireEmail = z
  .boolean()
  .default(true)
  .describe(
    'The e-mail address, which a mailed link has confirmed, must match too; not required of test patients, who have none',
  );

/** How a patient is found on the server. */
export const SourceMatching = z.discriminatedUnion('by', [
  z
    .object({ by: z.literal('id') })
    .describe('The external id is the id of the Patient or Person on the server'),
  z.object({ by: z.literal('identifier'), system }),
  z.object({ by: z.literal('demographics'), requireEmail }),
  z.object({ by: z.literal('identifier_then_demographics'), system, requireEmail }),
]);
export type SourceMatching = z.infer<typeof SourceMatching>;

const status = z.enum(['active', 'paused']);

const servesTestPatients = z
  .boolean()
  .describe(
    'true: test patients only, and only resources that are tagged HTEST (v3-ActReason); false: real patients only',
  );

export const Source = z
  .object({
    id: SourceId,
    organizationId: OrganizationId,
    name: z.string(),
    baseUrl: z.string(),
    status,
    authentication: z.discriminatedUnion('type', [
      z.object({
        type: z.literal('smart_backend_services'),
        clientId: z.string(),
        tokenEndpoint: z.string().nullable(),
        scope: z.string().nullable(),
        jwksUrl: z
          .string()
          .describe('The public keys of the client assertions; register the client with this URL'),
      }),
      z.object({ type: z.literal('bearer') }),
      z.object({ type: z.literal('none') }),
    ]),
    matching: SourceMatching,
    projectIds: z.array(ProjectId).nullable().describe('null: every project'),
    servesTestPatients,
    createdAt: z.iso.datetime(),
    changedAt: z.iso.datetime(),
  })
  .meta({ id: 'Source' });
export type Source = z.infer<typeof Source>;

/** With how many patients are in each state, of those that the caller may see. */
const CountedSource = Source.extend({ patients: z.record(SourceState, z.int()) });
export type CountedSource = z.infer<typeof CountedSource>;

/** RFC 7517. */
const JwkSet = z.object({
  keys: z.array(
    z.object({
      kty: z.enum(['EC', 'RSA']),
      kid: z.string(),
      alg: z.enum(['ES384', 'RS384']),
      use: z.literal('sig'),
      key_ops: z.array(z.literal('verify')),
      crv: z.literal('P-384').optional(),
      x: z.string().optional(),
      y: z.string().optional(),
      n: z.string().optional(),
      e: z.string().optional(),
    }),
  ),
});

const tag = 'Connected sources';
const itemPath = '/v1/organizations/{orgId}/sources/{sourceId}';
const notFound = { 404: 'The organization has no such source' } as const;
const projectIds = z.array(ProjectId).min(1).max(100).nullable();

export const createSource = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/{orgId}/sources',
  name: 'createSource',
  summary: 'Connects a FHIR R4 server; patients who consent are matched there and their records fetched',
  tag,
  audience: ['organization'],
  permission: 'sources.manage',
  presence: true,
  body: z.object({
    name: PlainName.describe('Patients see this name'),
    baseUrl: httpsUrl.describe('FHIR base address'),
    authentication: SourceAuthentication.default({ type: 'none' }),
    matching: SourceMatching,
    projectIds: projectIds.default(null),
    servesTestPatients: servesTestPatients.default(false),
  }),
  status: 201,
  response: Source,
  refusals: { 409: `name_taken, or too_many_sources: an organization has at most ${MAX_SOURCES}` },
});

export const listSources = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/sources',
  name: 'listSources',
  summary: "The organization's connected sources, oldest first",
  tag,
  audience: ['organization'],
  permission: 'sources.read',
  query: PageQuery,
  response: z.object({ total: z.int(), results: z.array(CountedSource) }),
});

export const getSource = defineEndpoint({
  method: 'GET',
  path: itemPath,
  name: 'getSource',
  summary: 'One connected source',
  tag,
  audience: ['organization'],
  permission: 'sources.read',
  response: CountedSource,
  refusals: notFound,
});

export const updateSource = defineEndpoint({
  method: 'PATCH',
  path: itemPath,
  name: 'updateSource',
  summary:
    'Renames, pauses or resumes a source, or changes its credentials, its projects, its matching or whether it serves test patients: then patients are matched again',
  tag,
  audience: ['organization'],
  permission: 'sources.manage',
  presence: true,
  body: z
    .object({
      name: PlainName.optional(),
      status: status.optional(),
      authentication: SourceAuthentication.optional(),
      matching: SourceMatching.optional(),
      projectIds: projectIds.optional(),
      servesTestPatients: servesTestPatients.optional(),
    })
    .refine((body) => Object.values(body).some((value) => value !== undefined), 'must change something'),
  response: Source,
  refusals: { ...notFound, 409: 'name_taken' },
});

export const deleteSource = defineEndpoint({
  method: 'DELETE',
  path: itemPath,
  name: 'deleteSource',
  summary: "Disconnects a source. Fetched data stays: it belongs to the patients' records",
  tag,
  audience: ['organization'],
  permission: 'sources.manage',
  presence: true,
  status: 204,
  response: z.undefined(),
  refusals: notFound,
});

export const testSource = defineEndpoint({
  method: 'POST',
  path: `${itemPath}/test`,
  name: 'testSource',
  summary: 'Gets a token and reads /metadata, and names the step that fails; requests no patient',
  tag,
  audience: ['organization'],
  permission: 'sources.manage',
  response: z.object({
    ok: z.boolean(),
    steps: z.array(
      z.object({
        step: z.enum(['token', 'metadata']),
        ok: z.boolean(),
        code: z.string().nullable(),
        message: z.string().nullable(),
      }),
    ),
    fhirVersion: z.string().nullable(),
    everything: z
      .enum(['Patient', 'Person'])
      .nullable()
      .describe('The resource type that $everything is offered for'),
    match: z.boolean().describe('Patient/$match is offered'),
  }),
  refusals: notFound,
});

export const getSourceKeys = defineEndpoint({
  method: 'GET',
  path: '/v1/sources/{sourceId}/jwks.json',
  name: 'getSourceKeys',
  summary: 'The public keys that verify the client assertions for one source (RFC 7523)',
  tag,
  audience: ['anyone'],
  cors: true,
  response: JwkSet,
  refusals: { 404: 'There is no such source, or it uses no keys' },
});
