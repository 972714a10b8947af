import { z } from 'zod';
import { BatchId, PatientId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';
import { PageQuery } from '../page-query.ts';
import { acceptSeveral } from '../several.ts';

export const SourceState = z.enum([
  'waiting',
  'running',
  'up_to_date',
  'no_match',
  'ambiguous_match',
  'needs_organization_review',
  'failed',
  'paused',
]);
export type SourceState = z.infer<typeof SourceState>;

/** The state of one patient at one source. */
export const sourceStateShape = {
  state: SourceState,
  code: z.string().nullable().describe('The reason; docs/sources.md lists the codes'),
  message: z.string().nullable().describe('The code as a sentence'),
  lastSynchronizedAt: z.iso.datetime().nullable(),
  nextAttemptAt: z.iso
    .datetime()
    .nullable()
    .describe('When an attempt that failed is made again by itself; null: it waits for none'),
};

/** One patient's state at one source, as the organization sees it. */
export const SourceSync = z
  .object({
    patientId: PatientId,
    ...sourceStateShape,
    requestedAt: z.iso.datetime(),
    failures: z.int().describe('Failed attempts since it was requested'),
    pages: z.int(),
    resources: z.int(),
    bytes: z.int(),
    skippedTypes: z.array(z.string()).describe('Resource types that the server did not return'),
    batchId: BatchId.nullable().describe('The upload batch of what was fetched last'),
  })
  .meta({ id: 'SourceSync' });
export type SourceSync = z.infer<typeof SourceSync>;

const tag = 'Connected sources';

const notFound = { 404: 'The organization has no such source' } as const;

export const syncSource = defineEndpoint({
  method: 'POST',
  path: `/v1/organizations/{orgId}/sources/{sourceId}/sync`,
  name: 'syncSource',
  summary: 'Fetches again, for one patient or for all who consent',
  tag,
  audience: ['organization'],
  permission: 'sources.manage',
  body: z.object({ patientId: PatientId.optional() }),
  bodyOptional: true,
  status: 202,
  response: z.object({ patients: z.int().describe('The number of patients that are fetched for') }),
  refusals: { ...notFound, 403: 'The patient consents to no project of this source', 409: 'source_paused' },
});

export const listSourceSyncs = defineEndpoint({
  method: 'GET',
  path: `/v1/organizations/{orgId}/sources/{sourceId}/syncs`,
  name: 'listSourceSyncs',
  summary: 'The state of each patient at a source',
  tag,
  audience: ['organization'],
  permission: 'sources.read',
  query: PageQuery.extend({ status: acceptSeveral(SourceState).optional(), patientId: PatientId.optional() }),
  response: z.object({ total: z.int(), results: z.array(SourceSync) }),
  refusals: notFound,
});
