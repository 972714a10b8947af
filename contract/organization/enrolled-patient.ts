import { z } from 'zod';
import { PatientId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';
import { EnrollmentEntry } from './enrollment.ts';
import { projectRefusals } from './projects.ts';

const refusals = {
  403: `${projectRefusals[403]}; no_consent: the patient does not exist, or is not enrolled in the project`,
} as const;

const shared = { tag: 'Enrollment', audience: ['organization'], permission: 'patients.enroll' } as const;

export const sendInvitation = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/v1/projects/{projectId}/patients/{patientId}/invitation',
  name: 'sendInvitation',
  summary: 'Sends the invitation to an enrolled patient again',
  status: 202,
  response: z.object({ status: z.literal('sent') }),
  refusals: {
    ...refusals,
    409: 'test_patient: a test patient has no mailbox',
    429: 'too_many_mails: the address got three mails within an hour',
  },
});

const { email, firstName, lastName, externalId, phone, dateOfBirth, languagePreference } =
  EnrollmentEntry.shape;

export const EnrolledPatient = z
  .object({
    referenceId: PatientId,
    email: z
      .string()
      .nullable()
      .describe('Name and address are as the organization enrolled the person; null: they came by an app'),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    externalId: z.string().nullable(),
    phones: z.array(z.string()).describe('By which the organization finds the patient'),
  })
  .meta({ id: 'EnrolledPatient' });

export const updateEnrolledPatient = defineEndpoint({
  ...shared,
  method: 'PATCH',
  path: '/v1/projects/{projectId}/patients/{patientId}',
  name: 'updateEnrolledPatient',
  summary:
    'Corrects what the organization wrote of a patient, alike for all: what a person with an account says of themselves stays theirs, and what another organization wrote stays its own. A new address is invited, unless the person has decided already, and whoever follows the link that is mailed there confirms it. Connected servers of the organization find the person by its own date of birth',
  closedBody: true,
  body: z
    .object({
      email,
      firstName,
      lastName,
      externalId: externalId.unwrap().nullable(),
      phone: phone.unwrap().nullable(),
      dateOfBirth: dateOfBirth.unwrap(),
      languagePreference: languagePreference.unwrap(),
      suppressNotifications: z.boolean().describe('true: a new address is not invited now'),
    })
    .partial()
    .refine(
      ({ suppressNotifications: _, ...change }) => Object.values(change).some((value) => value !== undefined),
      'must change something',
    ),
  response: EnrolledPatient.extend({
    warnings: z
      .array(z.string())
      .optional()
      .describe(
        'What was changed and is likely a mistake: an external id that another patient has too. Absent where there is none',
      ),
  }),
  refusals: {
    ...refusals,
    409: 'address_taken: somebody else whom the organization enrolled in the project has this address',
  },
});

export const endEnrollment = defineEndpoint({
  ...shared,
  presence: true,
  method: 'DELETE',
  path: '/v1/projects/{projectId}/patients/{patientId}',
  name: 'endEnrollment',
  summary:
    'Ends the enrollment, and every consent and grant that rests on it; records of decisions stay. Enrolled again, the patient is asked anew',
  status: 204,
  response: z.undefined(),
  refusals,
});
