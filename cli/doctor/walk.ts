import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { callApi, readSummary, waitForBatch } from '../demo/client.ts';
import { failed, ok, type Finding } from './finding.ts';

export interface WalkOptions {
  baseUrl: string;
  organizationId: string;
  /** An admin key of the organization. */
  key: { apiKey: string; apiSecret: string };
}

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
}

interface Step {
  check: string;
  run(walker: Walker): Promise<string>;
  remedy: string;
}

const STEPS: readonly Step[] = [
  { check: 'test_patient', run: enroll, remedy: 'Look at the log of the node for this answer.' },
  {
    check: 'upload',
    run: upload,
    remedy: 'npx chartgate jobs lists what was given up; the log of the node has why.',
  },
  { check: 'consent', run: consent, remedy: 'Look at the log of the node: no patient can consent either.' },
  { check: 'mcp', run: read, remedy: 'Look at the log of the node: no agent can read either.' },
  {
    check: 'withdrawal',
    run: withdraw,
    remedy: 'Stop the service and keep its log: a read was served that no consent covers.',
  },
];

/**
 * Does what patients, partners and agents do, over the base URL, with a test patient who is deleted afterwards: an upload, a
 * consent, a read by the official MCP client, a withdrawal, and a read that has to be refused. Ends at the first failure.
 */
export async function walk({ baseUrl, organizationId, key }: WalkOptions): Promise<Finding[]> {
  const found: Finding[] = [];
  const walker: Walker = { baseUrl, organizationId, adminToken: '', patientId: '', projectId: '', token: '' };
  try {
    const { token } = await callApi<{ token: string }>(baseUrl, '/v1/auth/token', { body: key });
    walker.adminToken = token;
  } catch (error) {
    const remedy = 'Give an admin key of this organization.';
    return [failed('api_key', `The API key is not accepted: ${(error as Error).message}.`, remedy)];
  }
  try {
    for (const { check, run, remedy } of STEPS) {
      const result = await run(walker).catch((error: unknown) => error as Error);
      found.push(
        typeof result === 'string' ? ok(check, result) : failed(check, `${result.message}.`, remedy),
      );
      if (typeof result !== 'string') break;
    }
  } finally {
    await deletePatient(walker);
  }
  return found;
}

async function enroll(walker: Walker): Promise<string> {
  const { baseUrl, organizationId, adminToken } = walker;
  const organization = `/v1/organizations/${organizationId}`;
  const { patient, password } = await callApi<{ patient: { id: string; email: string }; password: string }>(
    baseUrl,
    `${organization}/test-patients`,
    { token: adminToken, body: NAMES },
  );
  walker.patientId = patient.id;
  walker.projectId = await findOrCreateProject(walker);
  await callApi(baseUrl, `/v1/projects/${walker.projectId}/patients`, {
    token: adminToken,
    body: {
      patients: [{ email: patient.email, ...NAMES }],
      suppressNotifications: true,
    },
  });
  const { token } = await callApi<{ token: string }>(baseUrl, '/v1/auth/token', {
    body: { email: patient.email, password, projectId: walker.projectId },
  });
  walker.token = token;
  return 'A test patient was created, enrolled and signed in.';
}

async function findOrCreateProject({ baseUrl, organizationId, adminToken }: Walker): Promise<string> {
  const projects = `/v1/organizations/${organizationId}/projects`;
  const { results } = await callApi<{ results: { id: string; name: string }[] }>(
    baseUrl,
    `${projects}?limit=1000`,
    { token: adminToken },
  );
  const known = results.find(({ name }) => name === PROJECT);
  const project =
    known ??
    (await callApi<{ id: string }>(baseUrl, projects, { token: adminToken, body: { name: PROJECT } }));
  return project.id;
}

async function upload({ baseUrl, patientId, token }: Walker): Promise<string> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(RECORD)), 'record.json');
  zip.end();
  const archive = Buffer.concat(await (zip.outputStream as Readable).toArray());
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(archive)]), 'record.zip');
  const uploads = `/v1/patients/${patientId}/upload-documents`;
  const { batchId } = await callApi<{ batchId: string }>(baseUrl, uploads, { token, form });
  await waitForBatch(baseUrl, { path: `${uploads}/${batchId}`, token });
  return 'A record was uploaded and read.';
}

const decide = (
  { baseUrl, projectId, patientId, token }: Walker,
  consentStatus: 'OPTED_IN' | 'OPTED_OUT',
): Promise<unknown> =>
  callApi(baseUrl, `/v1/projects/${projectId}/test-patients/${patientId}/consent`, {
    token,
    body: { consentStatus },
  });

async function consent(walker: Walker): Promise<string> {
  await decide(walker, 'OPTED_IN');
  return 'The test patient consented.';
}

const readRecord = ({ baseUrl, projectId, token }: Walker): Promise<string> =>
  readSummary(`${baseUrl}/projects/${projectId}/mcp`, token);

async function read(walker: Walker): Promise<string> {
  if (!(await readRecord(walker)).includes(SUBSTANCE))
    throw new Error('The summary that the official MCP client got is not that of the test patient');
  return 'The official MCP client read the summary.';
}

async function withdraw(walker: Walker): Promise<string> {
  await decide(walker, 'OPTED_OUT');
  if ((await readRecord(walker).catch(() => '')).includes(SUBSTANCE))
    throw new Error('The record was read after the withdrawal');
  return 'After the withdrawal the next read was refused.';
}

async function deletePatient({ baseUrl, organizationId, patientId, adminToken }: Walker): Promise<void> {
  if (patientId === '') return;
  await fetch(`${baseUrl}/v1/organizations/${organizationId}/test-patients/${patientId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${adminToken}` },
  });
}
