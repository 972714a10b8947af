import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Config } from '../../server/config.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import {
  createOrganization,
  type CreatedOrganization,
} from '../../server/identity/members/create-organization.ts';
import { run, type RunningService } from '../../server/run.ts';
import { writeRecordArchive } from '../../tools/synthetic-record/record-archive.ts';
import { callApi, readSummary, waitForBatch } from '../../server/surfaces/doctor/service-client.ts';

type Print = (line: string) => void;

/** Does everything that a newcomer would do by hand, over HTTP, ending with a real MCP client's answer. */
export async function runDemo(config: Config, print: Print): Promise<RunningService> {
  print('Starting Chartgate on the embedded store …');
  const service = await run(config);
  try {
    const organization = await createDemoOrganization(service);
    const patient = await createDemoPatient(config.http.baseUrl, organization);
    const summary = await uploadAndReadSummary(config, { patient, print });
    print(`\n${'─'.repeat(72)}\n${summary}\n${'─'.repeat(72)}\n`);
    printInstructions(config, { organization, patient, print });
    return service;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

interface DemoOrganization extends CreatedOrganization {
  isFirst: boolean;
}

/** Finds a name that is free, so that the demo can run again on the same data. */
async function createDemoOrganization({ db }: RunningService): Promise<DemoOrganization> {
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? '' : ` ${count}`;
    const created = await createOrganization(
      { db, clock: systemClock },
      {
        name: `Demo Clinic${suffix}`,
        project: 'Demo Project',
        purpose: 'So that an assistant of your choice can answer your questions with your own health record.',
        adminEmail: `admin${count}@demo-clinic.invalid`,
      },
    );
    if (created) return { ...created, isFirst: count === 1 };
  }
}

interface DemoPatient {
  id: string;
  email: string;
  password: string;
  projectId: string;
  token: string;
}

async function createDemoPatient(baseUrl: string, organization: CreatedOrganization): Promise<DemoPatient> {
  const { organizationId, projectId, admin } = organization;
  const { token: adminToken } = await callApi<{ token: string }>(baseUrl, '/v1/auth/token', { body: admin });
  const { patient, password } = await callApi<{
    patient: { id: string; email: string; firstName: string; lastName: string };
    password: string;
  }>(baseUrl, `/v1/organizations/${organizationId}/test-patients`, {
    token: adminToken,
    body: { firstName: 'Avery', lastName: 'Sample' },
  });
  const { id, email, firstName, lastName } = patient;
  await callApi(baseUrl, `/v1/projects/${projectId}/patients`, {
    token: adminToken,
    body: { patients: [{ email, firstName, lastName }], suppressNotifications: true },
  });
  const { token } = await callApi<{ token: string }>(baseUrl, '/v1/auth/token', {
    body: { email, password, projectId },
  });
  return { id, email, password, projectId, token };
}

async function uploadAndReadSummary(
  { http: { baseUrl } }: Config,
  { patient, print }: { patient: DemoPatient; print: Print },
): Promise<string> {
  const { id, projectId, token } = patient;
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'chartgate-demo-'));
  try {
    const file = path.join(folder, 'record.zip');
    const { resources } = await writeRecordArchive(
      { seed: 42, years: 12, endsOn: new Date().toISOString().slice(0, 10) },
      file,
    );
    print(`Uploading a synthetic record of ${resources} FHIR resources …`);
    const form = new FormData();
    form.append('file', new Blob([await fs.readFile(file)]), 'record.zip');
    const { batchId } = await callApi<{ batchId: string }>(baseUrl, `/v1/patients/${id}/upload-documents`, {
      token,
      form,
    });
    await waitForBatch(baseUrl, { path: `/v1/patients/${id}/upload-documents/${batchId}`, token });
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
  print('Giving consent …');
  await callApi(baseUrl, `/v1/projects/${projectId}/test-patients/${id}/consent`, {
    token,
    body: { consentStatus: 'OPTED_IN' },
  });
  print('Asking get_health_summary through POST /mcp with the official MCP client …');
  return readSummary(`${baseUrl}/mcp`, token);
}

function printInstructions(
  { http: { baseUrl, consentAppUrl } }: Config,
  { organization, patient, print }: { organization: DemoOrganization; patient: DemoPatient; print: Print },
): void {
  const { console: login, admin, isFirst } = organization;
  // `/mcp` is the first organization's; the others' projects have an address each.
  const url = isFirst ? `${baseUrl}/mcp` : `${baseUrl}/projects/${patient.projectId}/mcp`;
  print(`Consent page      ${consentAppUrl}/`);
  print(`Console           ${baseUrl}/console`);
  print(`  login           ${login.email}  ${login.password}`);
  print(`API description   ${baseUrl}/openapi.json`);
  print(`Admin key         ${admin.apiKey}  ${admin.apiSecret}`);
  print(`Test patient      ${patient.email}  ${patient.password}  project ${patient.projectId}`);
  print('\nConnect an agent: it finds everything else by itself, and a browser opens the consent page.');
  print('Sign in there as the test patient above, and allow it:');
  print(`  claude mcp add --transport http chartgate ${url}`);
  print('\nOr without consent page, as the test patient (the token lasts an hour):');
  print(
    `  claude mcp add --transport http chartgate ${baseUrl}/mcp --header "Authorization: Bearer ${patient.token}"`,
  );
}
