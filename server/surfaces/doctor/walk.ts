import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { z } from 'zod';
import type { FindingCode } from '../../../contract/organization/doctor/findings.ts';
import type { listTestPatients } from '../../../contract/organization/test-patients.ts';
import { createFinding, type Finding } from './finding.ts';
import { callApi, readSummary, ServiceRefusal, waitForBatch } from './service-client.ts';

export interface WalkOptions {
  baseUrl: string;
  organizationId: string;
  /** An admin key of the organization. */
  key: { apiKey: string; apiSecret: string };
  /** Ends the walk; the test patient is deleted all the same. */
  signal?: AbortSignal;
}

/** How long a step may take: an upload waits for its turn. */
const STEP_MS = 2 * 60_000;

/** The project that the test patients of all runs take part in. */
const PROJECT = 'Chartgate doctor';

const NAMES = { firstName: 'Throwaway', lastName: 'Check' };

/** What their record holds, and every summary of it shows. */
const SUBSTANCE = 'Substance of chartgate doctor';

const RECORD = {
  resourceType: 'Bundle',
  type: 'collection',
  entry: [
    {
      resource: {
        resourceType: 'AllergyIntolerance',
        id: 'doctor',
        clinicalStatus: {
          coding: [
            { system: 'http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical', code: 'active' },
          ],
        },
        code: { text: SUBSTANCE },
        patient: { reference: 'Patient/doctor' },
      },
    },
  ],
};

interface Walker {
  baseUrl: string;
  organizationId: string;
  adminToken: string;
  patientId: string;
  projectId: string;
  token: string;
  /** Of the present step. */
  signal: AbortSignal;
}

interface Step {
  run(walker: Walker): Promise<FindingCode>;
  /** Of a step that the service refuses. */
  fault: FindingCode;
}

const STEPS: readonly Step[] = [
  { run: enroll, fault: 'not_enrolled' },
  { run: upload, fault: 'not_uploaded' },
  { run: consent, fault: 'not_consented' },
  { run: read, fault: 'not_read' },
  { run: withdraw, fault: 'not_withdrawn' },
];

/**
 * Does what patients, partners and agents do, over the base URL, with a test patient who is deleted afterwards: an upload, a
 * consent, a read by the official MCP client, a withdrawal, and a read that has to be refused. Ends at the first failure.
 */
export async function walk({ baseUrl, organizationId, key, signal }: WalkOptions): Promise<Finding[]> {
  const found: Finding[] = [];
  const startStep = (): AbortSignal =>
    AbortSignal.any([AbortSignal.timeout(STEP_MS), ...(signal ? [signal] : [])]);
  const ids = { adminToken: '', patientId: '', projectId: '', token: '' };
  const walker: Walker = { baseUrl, organizationId, ...ids, signal: startStep() };
  try {
    const { token } = await callApi<{ token: string }>(baseUrl, '/v1/auth/token', { body: key });
    walker.adminToken = token;
  } catch (error) {
    return [createFinding('key_refused', { reason: explain(error) })];
  }
  try {
    for (const { run, fault } of STEPS) {
      walker.signal = startStep();
      const code = await run(walker).catch((error: unknown) => error);
      signal?.throwIfAborted();
      const finding =
        typeof code === 'string'
          ? createFinding(code as FindingCode)
          : createFinding(fault, { reason: explain(code) });
      found.push(finding);
      if (finding.outcome === 'failed') break;
    }
  } finally {
    await deletePatient(walker);
  }
  return found;
}

/** What the service answered, without what would name somebody; else the error. */
export const explain = (error: unknown): string =>
  error instanceof ServiceRefusal ? error.summary : error instanceof Error ? error.message : String(error);

async function enroll(walker: Walker): Promise<FindingCode> {
  const { baseUrl, organizationId, adminToken, signal } = walker;
  const organization = `/v1/organizations/${organizationId}`;
  const { patient, password } = await callApi<{ patient: { id: string; email: string }; password: string }>(
    baseUrl,
    `${organization}/test-patients`,
    { token: adminToken, body: NAMES, signal },
  );
  walker.patientId = patient.id;
  walker.projectId = await findOrCreateProject(walker);
  await deleteOfKilledRuns(walker);
  await callApi(baseUrl, `/v1/projects/${walker.projectId}/patients`, {
    token: adminToken,
    body: {
      patients: [{ email: patient.email, ...NAMES }],
      suppressNotifications: true,
    },
    signal,
  });
  const { token } = await callApi<{ token: string }>(baseUrl, '/v1/auth/token', {
    body: { email: patient.email, password, projectId: walker.projectId },
    signal,
  });
  walker.token = token;
  return 'enrolled';
}

async function findOrCreateProject({ baseUrl, organizationId, adminToken, signal }: Walker): Promise<string> {
  const projects = `/v1/organizations/${organizationId}/projects`;
  const { results } = await callApi<{ results: { id: string; name: string }[] }>(
    baseUrl,
    `${projects}?limit=1000`,
    { token: adminToken, signal },
  );
  const known = results.find(({ name }) => name === PROJECT);
  const project =
    known ??
    (await callApi<{ id: string }>(baseUrl, projects, {
      token: adminToken,
      body: { name: PROJECT },
      signal,
    }));
  return project.id;
}

/** No run lasts as long. */
const MAX_RUN_MS = 3_600_000;

/** Deletes the patients of runs whose process was killed: of that name, in no project but ours, and older than any run. */
async function deleteOfKilledRuns(walker: Walker): Promise<void> {
  const { baseUrl, organizationId, adminToken, signal } = walker;
  const { results } = await callApi<z.infer<(typeof listTestPatients)['response']>>(
    baseUrl,
    `/v1/organizations/${organizationId}/test-patients?limit=1000`,
    { token: adminToken, signal },
  );
  const own = results.find(({ id }) => id === walker.patientId);
  const isOld = ({ createdAt }: { createdAt: string }): boolean =>
    own !== undefined && Date.parse(own.createdAt) - Date.parse(createdAt) > MAX_RUN_MS;
  for (const patient of results) {
    const { id, firstName, lastName, projectIds } = patient;
    if (
      isOld(patient) &&
      firstName === NAMES.firstName &&
      lastName === NAMES.lastName &&
      projectIds.every((projectId) => projectId === walker.projectId)
    )
      await deletePatient({ ...walker, patientId: id });
  }
}

async function upload({ baseUrl, patientId, token, signal }: Walker): Promise<FindingCode> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(RECORD)), 'record.json');
  zip.end();
  const archive = Buffer.concat(await (zip.outputStream as Readable).toArray());
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(archive)]), 'record.zip');
  const uploads = `/v1/patients/${patientId}/upload-documents`;
  const { batchId } = await callApi<{ batchId: string }>(baseUrl, uploads, { token, form, signal });
  await waitForBatch(baseUrl, { path: `${uploads}/${batchId}`, token, signal });
  return 'uploaded';
}

const decide = (
  { baseUrl, projectId, patientId, token, signal }: Walker,
  consentStatus: 'OPTED_IN' | 'OPTED_OUT',
): Promise<unknown> =>
  callApi(baseUrl, `/v1/projects/${projectId}/test-patients/${patientId}/consent`, {
    token,
    body: { consentStatus },
    signal,
  });

async function consent(walker: Walker): Promise<FindingCode> {
  await decide(walker, 'OPTED_IN');
  return 'consented';
}

const readRecord = ({ baseUrl, projectId, token, signal }: Walker): Promise<string> =>
  readSummary(`${baseUrl}/projects/${projectId}/mcp`, token, signal);

async function read(walker: Walker): Promise<FindingCode> {
  return (await readRecord(walker)).includes(SUBSTANCE) ? 'read' : 'other_summary';
}

async function withdraw(walker: Walker): Promise<FindingCode> {
  await decide(walker, 'OPTED_OUT');
  const summary = await readRecord(walker).catch(() => '');
  return summary.includes(SUBSTANCE) ? 'read_after_withdrawal' : 'withdrawn';
}

/** Whatever keeps the patient from being deleted has been found by a step, or is stopping the service. */
async function deletePatient({ baseUrl, organizationId, patientId, adminToken }: Walker): Promise<void> {
  if (patientId === '') return;
  const path = `/v1/organizations/${organizationId}/test-patients/${patientId}`;
  const signal = AbortSignal.timeout(STEP_MS);
  await callApi(baseUrl, path, { method: 'DELETE', token: adminToken, signal }).catch(() => {});
}
