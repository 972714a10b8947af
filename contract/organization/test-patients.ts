import { z } from 'zod';
import { personNameInput } from '../person-name-input.ts';
import { MAX_PERSON_NAME_LENGTH } from '../text-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import { UPLOAD_BEYOND_STORE, UPLOAD_PATIENT_GONE, UPLOAD_QUOTA_REACHED } from '../account/uploads.ts';
import { BatchId, PatientId } from '../brands.ts';
import { DateOfBirth } from '../calendar-day.ts';
import { ConsentDataResourceScopes, ConsentDataSensitivityScopes } from '../data-categories.ts';
import { PageQuery } from '../page-query.ts';
import { projectRefusals } from './projects.ts';

const personName = personNameInput(MAX_PERSON_NAME_LENGTH);

export const TestPatient = z
  .object({
    id: PatientId,
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    isTestPatient: z.literal(true),
  })
  .meta({ id: 'TestPatient' });

export const TestPatientDetails = TestPatient.extend({
  dateOfBirth: z.string().nullable(),
  createdAt: z.iso.datetime(),
  projectIds: z.array(z.string()),
}).meta({ id: 'TestPatientDetails' });

const tag = 'Test patients';

export const createTestPatient = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/{orgId}/test-patients',
  name: 'createTestPatient',
  summary: 'Creates a test patient with a generated e-mail address and password',
  tag,
  audience: ['organization'],
  permission: 'test_patients.manage',
  storeUse: 'reads',
  closedBody: true,
  body: z.object({
    firstName: personName.optional(),
    lastName: personName.optional(),
    dateOfBirth: DateOfBirth.optional(),
  }),
  bodyOptional: true,
  status: 201,
  response: z.object({ patient: TestPatient, password: z.string().describe('Shown once') }),
});

export const listTestPatients = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/test-patients',
  name: 'listTestPatients',
  summary: 'The test patients of the organization, newest first',
  tag,
  audience: ['organization'],
  permission: 'test_patients.read',
  query: PageQuery.extend({
    after: PatientId.optional().describe(
      '`next` of the page before, in the place of `offset`: with that, a row comes twice when one is created meanwhile',
    ),
  }),
  response: z.object({
    total: z.int(),
    results: z.array(TestPatientDetails),
    next: PatientId.nullable().describe('`after` of the next page; null on the last'),
  }),
});

export const getTestPatient = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/test-patients/{patientId}',
  name: 'getTestPatient',
  summary: 'One test patient',
  tag,
  audience: ['organization'],
  permission: 'test_patients.read',
  response: TestPatientDetails,
  refusals: { 404: 'The organization has no such test patient' },
});

export const deleteTestPatient = defineEndpoint({
  method: 'DELETE',
  path: '/v1/organizations/{orgId}/test-patients/{patientId}',
  name: 'deleteTestPatient',
  summary: 'Deletes a test patient with all their data',
  tag,
  audience: ['organization'],
  permission: 'test_patients.manage',
  presence: true,
  status: 204,
  response: z.undefined(),
  refusals: { 404: 'The organization has no such test patient' },
});

export const renewTestPatientPassword = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/{orgId}/test-patients/{patientId}/password',
  name: 'renewTestPatientPassword',
  summary: 'Creates a new password for a test patient; the old one stops working at once',
  tag,
  audience: ['organization'],
  permission: 'test_patients.manage',
  presence: true,
  response: z.object({ password: z.string().describe('Shown once') }),
  refusals: { 404: 'The organization has no such test patient' },
});

const ofProject = {
  tag,
  audience: ['organization'],
  permission: 'test_patients.manage',
  refusals: {
    ...projectRefusals,
    404: 'The organization has no such test patient',
  },
} as const;

export const enrollTestPatient = defineEndpoint({
  ...ofProject,
  method: 'PUT',
  path: '/v1/organizations/{orgId}/test-patients/{patientId}/projects/{projectId}',
  name: 'enrollTestPatient',
  summary: 'Enrolls a test patient in a project; again, it changes nothing',
  status: 204,
  response: z.undefined(),
});

/** A token that a test patient's agent reads with. */
const IssuedToken = z.object({
  token: z.string().describe('Ends after an hour, and at once with the password'),
  expiration: z.int().describe('Seconds since 1970'),
});

export const createTestPatientToken = defineEndpoint({
  ...ofProject,
  method: 'POST',
  path: '/v1/organizations/{orgId}/test-patients/{patientId}/projects/{projectId}/token',
  name: 'createTestPatientToken',
  summary:
    "Issues the token that the test patient's e-mail address and password would get: to consent, to upload, to call tools",
  response: IssuedToken,
  refusals: { ...ofProject.refusals, 409: 'The test patient is not enrolled in the project' },
});

export const createTestPatientGrant = defineEndpoint({
  ...ofProject,
  method: 'POST',
  path: '/v1/organizations/{orgId}/test-patients/{patientId}/projects/{projectId}/grant',
  name: 'createTestPatientGrant',
  summary:
    "Lets an agent in for an hour, with no more than is named here of what the test patient's consent covers: its calls show what a narrower consent leaves out",
  storeUse: 'reads',
  closedBody: true,
  body: z.object({
    consentDataResourceScopes: ConsentDataResourceScopes.default(null),
    consentDataSensitivityScopes: ConsentDataSensitivityScopes.default(null).describe(
      'null: no class is left out besides those that the consent leaves out',
    ),
  }),
  status: 201,
  response: z.object({
    token: z
      .string()
      .describe('An OAuth access token for `resource` alone; ends after an hour, and with the consent'),
    expiration: IssuedToken.shape.expiration,
    resource: z.string().describe("The address of the project's MCP endpoint"),
  }),
  refusals: {
    ...ofProject.refusals,
    409: 'The test patient is not enrolled in the project, or no consent is in force',
  },
});

/** The synthetic people are adults, and no record is longer than a life. */
export const GENERATED_YEARS = { min: 1, max: 70 } as const;

export const generateTestPatientRecord = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/{orgId}/test-patients/{patientId}/generate-record',
  name: 'generateTestPatientRecord',
  summary:
    'Makes up a FHIR record for a test patient, as `chartgate generate-record` does, and reads it in the background as an upload of theirs',
  tag,
  audience: ['organization'],
  permission: 'test_patients.manage',
  storeUse: 'uploads',
  usage: 'upload',
  body: z.object({
    years: z
      .int()
      .min(GENERATED_YEARS.min)
      .max(GENERATED_YEARS.max)
      .default(5)
      .describe('How many years the record spans, up to today'),
    seed: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('The same seed gives the same record on the same day; absent: any'),
  }),
  bodyOptional: true,
  status: 202,
  response: z.object({ batchId: BatchId, seed: z.int() }),
  refusals: {
    400: 'The test patient was a child when the record would begin',
    404: `The organization has no such test patient. ${UPLOAD_PATIENT_GONE}`,
    429: UPLOAD_QUOTA_REACHED,
    507: UPLOAD_BEYOND_STORE,
  },
});
