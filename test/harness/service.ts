import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createService, type Service } from '../../server/app.ts';
import type { ServiceOptions } from '../../server/service-options.ts';
import { readConfig, type Config } from '../../server/config.ts';
import {
  createOrganization,
  type CreatedOrganization,
} from '../../server/identity/members/create-organization.ts';
import type { ProjectId } from '../../contract/brands.ts';
import { writeRecordArchive } from '../../tools/synthetic-record/record-archive.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { startKeptThread } from './kept-threads.ts';
import { findFreePort } from './postgres.ts';
import { sendRequest } from './send-request.ts';
import { openTestStore, type Engine, type TestStore } from './store.ts';

export interface TestService extends Service {
  store: TestStore;
  clock: TestClock;
  config: Config;
  baseUrl: string;
  organization: CreatedOrganization;
  stop(): Promise<void>;
}

/** What a test may put in the place of the world outside. */
type ServiceOverrides = Pick<
  ServiceOptions,
  | 'outbound'
  | 'webhookOutbound'
  | 'connectedSources'
  | 'sourceLimits'
  | 'logStream'
  | 'bodyLimits'
  | 'guardsClock'
  | 'telemetry'
  | 'startImportThread'
>;

interface Options extends ServiceOverrides {
  /** A store that was opened for it; else one of its own. */
  store?: TestStore;
  engine?: Engine;
  environment?: Record<string, string>;
}

let organizationCount = 0;

/** The whole service in this process, listening on a loopback port, on a store of its own, with one organization. */
export async function startTestService({
  engine,
  store: given,
  environment,
  ...overrides
}: Options = {}): Promise<TestService> {
  const store = given ?? (await openTestStore(engine));
  const clock = createTestClock({ runs: true });
  const config = readConfig({
    PORT: String(await findFreePort()),
    CHARTGATE_DATA_DIR: store.dataDirectory,
    CHARTGATE_LOG_LEVEL: 'error',
    ...environment,
  });
  const service = createService({
    config,
    db: store.db,
    clock,
    startImportThread: startKeptThread,
    ...overrides,
  });
  await service.app.listen({ port: config.http.port, host: config.http.host });
  await service.worker.start();
  const organization = await newOrganization({ store, clock });
  return {
    ...service,
    store,
    clock,
    config,
    baseUrl: config.http.baseUrl,
    organization,
    async stop() {
      await service.app.close();
      await service.worker.stop();
      await store.remove();
    },
  };
}

/** Another organization on the same service: the foreigner in the tests. */
export async function newOrganization({
  store,
  clock,
}: Pick<TestService, 'store' | 'clock'>): Promise<CreatedOrganization> {
  const name = `Clinic ${++organizationCount}`;
  const created = await createOrganization(
    { db: store.db, clock },
    { name, project: 'Study', adminEmail: `admin${organizationCount}@clinic.example` },
  );
  if (!created) throw new Error(`${name} exists`);
  return created;
}

export async function newProject(
  service: TestService,
  name = 'Second study',
  more: object = {},
): Promise<ProjectId> {
  const { organizationId } = service.organization;
  const token = await getOrganizationToken(service);
  const { status, body } = await call(service, `/v1/organizations/${organizationId}/projects`, {
    token,
    json: { name, ...more },
  });
  if (status !== 201) throw new Error(`no project: ${status} ${JSON.stringify(body)}`);
  return body.id as ProjectId;
}

/** Changes what the organization's project shows to patients. */
export async function setProjectContent(service: TestService, content: object): Promise<void> {
  const { organizationId, projectId } = service.organization;
  const { status, body } = await call(service, `/v1/organizations/${organizationId}/projects/${projectId}`, {
    method: 'PATCH',
    token: await getOrganizationToken(service),
    json: { content },
  });
  if (status !== 200) throw new Error(`content not changed: ${status} ${JSON.stringify(body)}`);
}

export interface HttpResponse {
  status: number;
  headers: Headers;
  // Tests look into answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

interface RequestOptions {
  method?: string;
  token?: string | undefined;
  json?: unknown;
  body?: FormData | string | Buffer<ArrayBuffer>;
  headers?: Record<string, string>;
}

/** One HTTP call; POST when there is a body; JSON answers are parsed. */
export async function call(
  service: Pick<TestService, 'baseUrl'>,
  url: string,
  request: RequestOptions = {},
): Promise<HttpResponse> {
  const hasBody = request.json !== undefined || request.body !== undefined;
  const { status, headers, text } = await sendRequest(service.baseUrl + url, {
    method: request.method ?? (hasBody ? 'POST' : 'GET'),
    headers: {
      ...(request.token !== undefined && { authorization: `Bearer ${request.token}` }),
      ...(request.json !== undefined && { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(hasBody && { body: request.body ?? JSON.stringify(request.json) }),
  });
  const isJson = /[/+]json/.test(headers.get('content-type') ?? '');
  return { status, headers, body: isJson && text !== '' ? JSON.parse(text) : text };
}

export async function getOrganizationToken(
  service: TestService,
  role: 'admin' | 'researcher' = 'admin',
  organization = service.organization,
): Promise<string> {
  const { body } = await call(service, '/v1/auth/token', { json: organization[role] });
  return body.token as string;
}

export interface TestPatient {
  id: string;
  email: string;
  password: string;
  projectId: string;
  token: string;
}

/** Creates a test patient that is enrolled and has opted in; with `consent: false` it has not. */
export async function newTestPatient(
  service: TestService,
  {
    organization = service.organization,
    projectId = organization.projectId,
    consent = true,
  }: { organization?: CreatedOrganization; projectId?: string; consent?: boolean } = {},
): Promise<TestPatient> {
  const admin = await getOrganizationToken(service, 'admin', organization);
  const created = await call(service, `/v1/organizations/${organization.organizationId}/test-patients`, {
    method: 'POST',
    token: admin,
  });
  const { patient, password } = created.body as {
    patient: { id: string; email: string; firstName: string; lastName: string };
    password: string;
  };
  const { id, email, firstName, lastName } = patient;
  await call(service, `/v1/projects/${projectId}/patients`, {
    token: admin,
    json: { patients: [{ email, firstName, lastName }], suppressNotifications: true },
  });
  const login = await call(service, '/v1/auth/token', { json: { email, password, projectId } });
  const token = login.body.token as string;
  if (consent) await decide(service, { id, projectId, token }, 'OPTED_IN');
  return { id, email, password, projectId, token };
}

export const decide = (
  service: TestService,
  patient: Pick<TestPatient, 'id' | 'projectId' | 'token'>,
  consentStatus: string,
  more: object = {},
): Promise<HttpResponse> =>
  call(service, `/v1/projects/${patient.projectId}/test-patients/${patient.id}/consent`, {
    token: patient.token,
    json: { consentStatus, ...more },
  });

/** Uploads an archive and waits until it is read; answers the batch. */
export async function upload(
  service: TestService,
  patient: TestPatient,
  archive: Buffer | string,
): Promise<HttpResponse['body']> {
  const form = new FormData();
  form.append(
    'file',
    new Blob([typeof archive === 'string' ? fs.readFileSync(archive) : archive]),
    'archive.zip',
  );
  const accepted = await call(service, `/v1/patients/${patient.id}/upload-documents`, {
    token: patient.token,
    body: form,
  });
  if (accepted.status !== 202)
    throw new Error(`upload refused: ${accepted.status} ${JSON.stringify(accepted.body)}`);
  return waitForBatch(service, patient, accepted.body.batchId as string);
}

/** A node says that it is not ready while its store takes more than a second and a half, as on a busy machine. */
export async function waitUntilServing(service: { baseUrl: string }): Promise<void> {
  for (;;) {
    const { status, body } = await call(service, '/readyz');
    if (status === 200) return;
    if (body.code !== 'not_ready') throw new Error(`not ready: ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function waitForBatch(
  service: TestService,
  patient: TestPatient,
  batchId: string,
): Promise<HttpResponse['body']> {
  for (;;) {
    const { body } = await call(service, `/v1/patients/${patient.id}/upload-documents/${batchId}`, {
      token: patient.token,
    });
    if (!['queued', 'processing'].includes(body.status as string)) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A generated record as an archive on disk; the caller's to delete. */
export async function generateRecordArchive(plan: { seed?: number; years?: number } = {}): Promise<string> {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-record-')), 'record.zip');
  await writeRecordArchive(
    { seed: plan.seed ?? 1, years: plan.years ?? 5, endsOn: new Date().toISOString().slice(0, 10) },
    file,
  );
  return file;
}

/** `tools/call` as a JSON-RPC request; answers the HTTP answer. */
export const callTool = (
  service: TestService,
  patient: Pick<TestPatient, 'token'>,
  name: string,
  input: object = {},
): Promise<HttpResponse> =>
  call(service, '/mcp', {
    token: patient.token,
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
  });

export const getToolText = (answer: HttpResponse): string => answer.body.result.content[0].text as string;
