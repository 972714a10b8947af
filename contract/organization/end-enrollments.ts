import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { acceptOneOrSeveral } from '../several.ts';
import { filterShape, INVITABLE_STATES, type PatientState } from './patients.ts';

const shared = { tag: 'Patients', audience: ['organization'] } as const;

/** The states of those who take part: whose enrollment can be ended. */
export const PRESENT_STATES = [
  ...INVITABLE_STATES,
  'declined',
  'consents',
  'expired',
  'withdrew',
] as const satisfies readonly PatientState[];

export const endEnrollments = defineEndpoint({
  ...shared,
  presence: true,
  method: 'POST',
  path: '/v1/organizations/{orgId}/patients/end-enrollments',
  name: 'endEnrollments',
  summary:
    'Ends the enrollments of a filter as `DELETE …/patients/{patientId}` ends one, each with its consents, 50 with each call. Repeated until `remaining` is 0, with that as `expected`, it ends each',
  permission: 'patients.enroll',
  // A filter that is not known must not become none.
  closedBody: true,
  body: z
    .strictObject({
      ...filterShape,
      state: acceptOneOrSeveral(z.enum(PRESENT_STATES))
        .optional()
        .describe('Absent: everybody who takes part'),
      dryRun: z.boolean().default(false).describe('Counts, and ends nothing'),
      expected: z
        .int()
        .min(0)
        .optional()
        .describe('How many the dry run found, or remained after the call before; needed to end any'),
    })
    .refine(({ dryRun, expected }) => dryRun || expected !== undefined, {
      path: ['expected'],
      message: 'must be what a dry run counted',
    }),
  response: z.object({
    matched: z.int().describe('How many enrollments the filter finds'),
    consenting: z.int().describe('Of these, how many have a consent in force, which ends with it'),
    ended: z.int(),
    remaining: z.int().describe('How many further calls would end'),
  }),
  refusals: {
    409: 'more_matched: the filter finds more than `expected`, since somebody was enrolled or has come to this state; count again',
  },
});
