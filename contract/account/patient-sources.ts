import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { OrganizationId, SourceId } from '../brands.ts';
import { sourceStateShape } from '../organization/source-syncs.ts';

/** One source, as its patient sees it. */
export const PatientSource = z
  .object({
    sourceId: SourceId,
    name: z.string(),
    organization: z.object({ id: OrganizationId, name: z.string() }),
    ...sourceStateShape,
  })
  .meta({ id: 'PatientSource' });
export type PatientSource = z.infer<typeof PatientSource>;

const tag = 'Connected sources';

const results = z.object({ results: z.array(PatientSource) });
const RefreshResult = z.object({
  sources: z.int().describe('The number of sources that are fetched from now'),
});

export const listPatientSources = defineEndpoint({
  method: 'GET',
  path: '/v1/patients/{patientId}/sources',
  name: 'listPatientSources',
  summary: "The patient's connected sources at the token's organization, with their state",
  tag,
  audience: ['patient'],
  response: results,
});

export const refreshPatientSources = defineEndpoint({
  method: 'POST',
  path: '/v1/patients/{patientId}/sources/refresh',
  name: 'refreshPatientSources',
  summary: "Fetches again from the patient's connected sources at the token's organization",
  tag,
  audience: ['patient'],
  status: 202,
  response: RefreshResult,
});

const page = { tag: 'Consent page', audience: ['patient-session'], page: true } as const;

export const listMySources = defineEndpoint({
  ...page,
  method: 'GET',
  path: '/account/sources',
  name: 'listMySources',
  summary: "The person's connected sources at all organizations they share with, with their state",
  response: results,
});

export const refreshMySources = defineEndpoint({
  ...page,
  method: 'POST',
  path: '/account/sources/refresh',
  name: 'refreshMySources',
  summary: "Fetches again from all of the person's connected sources",
  status: 202,
  response: RefreshResult,
});
