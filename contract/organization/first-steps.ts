import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

/** What an organization does once, at its beginning, in the order in which it is done best. */
export const FIRST_STEPS = [
  'words_written',
  'patient_enrolled',
  'record_connected',
  'reader_connected',
  'second_owner',
] as const;

export const FirstStepCode = z
  .enum(FIRST_STEPS)
  .describe(
    'words_written: a project has its words for patients; patient_enrolled: somebody is enrolled; record_connected: a source is connected, or a record was uploaded; reader_connected: an app has asked for a record, or there is a webhook; second_owner: two owners, so that one can be locked out',
  );
export type FirstStepCode = z.infer<typeof FirstStepCode>;

export const listFirstSteps = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/first-steps',
  name: 'listFirstSteps',
  summary:
    'What an organization does at its beginning, and which of it is done. Each caller gets what their role may do, for the organization as a whole or the projects that they are limited to',
  tag: 'Organization',
  audience: ['organization'],
  permission: 'organization.read',
  response: z.object({ results: z.array(z.object({ code: FirstStepCode, isDone: z.boolean() })) }),
});
