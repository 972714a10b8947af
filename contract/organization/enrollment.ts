import { z } from 'zod';
import { personNameInput } from '../person-name-input.ts';
import { MAX_EXTERNAL_ID_LENGTH, MAX_GIVEN_EMAIL_LENGTH, MAX_PERSON_NAME_LENGTH } from '../text-limits.ts';
import { ConsentStatus, ConsentType } from '../account/consent.ts';
import { defineEndpoint } from '../endpoint.ts';
import { PatientId } from '../brands.ts';
import { DateOfBirth } from '../calendar-day.ts';
import { projectRefusals } from './projects.ts';

/**
 * One person to enroll. Validated one by one, so that a faulty item is reported in `errors` and affects no other.
 */
export const EnrollmentEntry = z
  .object({
    email: z.email().max(MAX_GIVEN_EMAIL_LENGTH),
    firstName: personNameInput(MAX_PERSON_NAME_LENGTH),
    lastName: personNameInput(MAX_PERSON_NAME_LENGTH),
    languagePreference: z
      .string()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language code such as "en" or "es"')
      .optional(),
    externalId: z.string().trim().min(1).max(MAX_EXTERNAL_ID_LENGTH).optional(),
    phone: z
      .string()
      .regex(/^\+?[0-9 ().-]{5,25}$/, 'must be a telephone number')
      .optional(),
    dateOfBirth: DateOfBirth.optional(),
  })
  .meta({ id: 'EnrollmentEntry' });
export type EnrollmentEntry = z.infer<typeof EnrollmentEntry>;

const index = z.int().describe("The item's position in the request, from 0");

export const EnrollmentResult = z
  .object({
    totalProcessed: z.int(),
    successCount: z.int(),
    errorCount: z.int(),
    duplicatesCount: z.int(),
    errors: z.array(z.object({ patientIndex: index, email: z.string().nullable(), error: z.string() })),
    duplicates: z.array(
      z.object({
        patientIndex: index,
        email: z.string(),
        referenceId: PatientId.nullable().describe('null: named twice in a dry run'),
        consents: z
          .array(
            z.object({
              consentType: ConsentType,
              consentStatus: ConsentStatus,
              expirationTimestamp: z.iso.datetime(),
            }),
          )
          .describe(
            'How the person stands: their newest decision on each consent; empty: they decided nothing',
          ),
      }),
    ),
    successfulPatients: z.array(
      z.object({
        patientIndex: index,
        email: z.string(),
        referenceId: PatientId.nullable().describe('null in a dry run'),
      }),
    ),
    warnings: z
      .array(z.object({ patientIndex: index, email: z.string(), warning: z.string() }))
      .optional()
      .describe(
        'What was enrolled and is likely a mistake: an external id that another patient has too. Absent where there is none',
      ),
  })
  .meta({ id: 'EnrollmentResult' });
export type EnrollmentResult = z.infer<typeof EnrollmentResult>;

export const enrollPatients = defineEndpoint({
  method: 'POST',
  path: '/v1/projects/{projectId}/patients',
  name: 'enrollPatients',
  summary: 'Enrolls patients in a project; unknown ones are created',
  tag: 'Enrollment',
  audience: ['organization'],
  permission: 'patients.enroll',
  storeUse: 'reads',
  query: z.object({
    dryRun: z
      .enum(['true', 'false'])
      .optional()
      .describe('true: says what would happen, and enrolls and invites nobody'),
  }),
  closedBody: true,
  checksItems: true,
  body: z.object({
    patients: z
      .array(z.unknown().meta({ $ref: '#/components/schemas/EnrollmentEntry' }))
      .min(1)
      .max(1000),
    suppressNotifications: z.boolean().optional().describe('true: nobody is invited by mail now'),
  }),
  response: EnrollmentResult,
  refusals: projectRefusals,
});
