import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { PatientId } from '../brands.ts';
import { CalendarDay } from '../calendar-day.ts';
import { PageQuery } from '../page-query.ts';

const personName = z.string().trim().min(1).max(200);

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
  body: z.object({
    firstName: personName.optional(),
    lastName: personName.optional(),
    dateOfBirth: CalendarDay.optional(),
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
  query: PageQuery,
  response: z.object({ total: z.int(), results: z.array(TestPatientDetails) }),
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
  response: z.object({ password: z.string().describe('Shown once') }),
  refusals: { 404: 'The organization has no such test patient' },
});
