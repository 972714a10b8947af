import { z } from 'zod';
import { DoctorRunId } from '../../brands.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { FINDING_OUTCOMES } from './finding-sentences.ts';
import { FINDINGS, type FindingCode } from './findings.ts';

/** A run begins this long after the last one began, at the earliest. */
export const DOCTOR_INTERVAL_SECONDS = 60;

export const DoctorFinding = z
  .object({
    check: z.string().describe('A stable name of the check; several findings may be of one check'),
    outcome: z.enum(FINDING_OUTCOMES),
    code: z
      .enum(Object.keys(FINDINGS) as [FindingCode, ...FindingCode[]])
      .describe('A stable name of what was found'),
    values: z.record(z.string(), z.string()).describe('What the sentences name: a host, a number, a setting'),
    detail: z.string().describe('What was found, as a sentence'),
    remedy: z.string().nullable().describe('What mends it; null: nothing is to be mended'),
  })
  .meta({ id: 'DoctorFinding' });
export type DoctorFinding = z.infer<typeof DoctorFinding>;

export const DoctorRun = z
  .object({
    id: DoctorRunId,
    startedAt: z.iso.datetime(),
    startedBy: z
      .object({ kind: z.string(), id: z.string(), name: z.string().nullable() })
      .describe('As the audit log names actors; the name of a member'),
    finishedAt: z.iso.datetime().nullable().describe('null: it runs'),
    step: z.int().describe('How many of the steps are done'),
    steps: z.int(),
    isHealthy: z
      .boolean()
      .nullable()
      .describe('Whether nothing fails; warnings are no failure. null: it runs'),
    findings: z.array(DoctorFinding),
  })
  .meta({ id: 'DoctorRun' });
export type DoctorRun = z.infer<typeof DoctorRun>;

const ROUTE = {
  tag: 'Organization',
  audience: ['organization'],
  permission: 'deployment.check',
} as const;

export const startDoctorRun = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/{orgId}/doctor',
  name: 'startDoctorRun',
  summary:
    'Checks the deployment as `chartgate doctor` does, with a test patient of the organization who is deleted afterwards; where the installation has several organizations, only the service as strangers see it and the test patient. One run at a time, one a minute',
  ...ROUTE,
  status: 202,
  response: DoctorRun,
  refusals: {
    409: 'doctor_running: one runs; it ends within minutes',
    429: `doctor_ran_just_now: the last one began less than ${DOCTOR_INTERVAL_SECONDS} seconds ago`,
  },
});

export const getDoctorRuns = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/doctor',
  name: 'getDoctorRuns',
  summary: 'What the last check of the deployment found, and how far the one is that runs',
  ...ROUTE,
  response: z.object({
    running: DoctorRun.nullable(),
    last: DoctorRun.nullable().describe('The newest one that ended; null: there is none'),
  }),
});
