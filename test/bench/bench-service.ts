import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';
import { ZipFile } from 'yazl';
import { writeRecordArchive } from '../../tools/synthetic-record/record-archive.ts';
import type { CreatedOrganization } from '../../server/identity/members/create-organization.ts';
import { findFreePort } from '../harness/postgres.ts';
import { NODE_FLAGS, toProgram } from './server-process.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const STRESS = resolve(ROOT, '../shared/data/stress');

export interface BenchServerOptions {
  /** A free one unless said: tokens are good for one address. */
  port?: number;
  databaseUrl: string | undefined;
  dataDirectory: string;
  /** Further settings. */
  environment?: Record<string, string>;
  /** The checkout that runs: this one unless said. */
  root?: string;
}

export async function prepareArchive(folder: string): Promise<{ archive: string; source: string }> {
  const archive = join(folder, 'archive.zip');
  const [packed] = globSync('*.json.bz2', { cwd: STRESS });
  if (packed === undefined || !hasBzip2()) {
    await writeRecordArchive({ seed: 1, years: 40, visitsPerYear: 60, endsOn: '2026-01-01' }, archive);
    return { archive, source: 'generated' };
  }
  const unpacking = spawn('bzip2', ['-dc', join(STRESS, packed)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const zip = new ZipFile();
  zip.addReadStream(unpacking.stdout, packed.slice(0, -'.bz2'.length));
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(archive));
  return { archive, source: 'stress' };
}

function hasBzip2(): boolean {
  try {
    execFileSync('bzip2', ['--help'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export function readOnlyMember(archive: string): Promise<Buffer> {
  return new Promise((done, reject) => {
    yauzl.open(archive, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      zip.once('entry', (entry: yauzl.Entry) => {
        zip.openReadStream(entry, (failure, stream) => {
          if (failure) return reject(failure);
          stream.toArray().then((chunks) => done(Buffer.concat(chunks as Buffer[])), reject);
        });
      });
      zip.readEntry();
    });
  });
}

export interface Server {
  url: string;
  process: ChildProcess;
  organization: CreatedOrganization;
  stop(): Promise<void>;
}

export async function startServer(options: BenchServerOptions): Promise<Server> {
  const { root = ROOT, port = await findFreePort() } = options;
  const init = toProgram(['init', '--organization', 'Bench', '--project', 'Bench', '--json'], root);
  const organization = JSON.parse(
    execFileSync(process.execPath, init, { env: buildEnvironment(options, port) }).toString(),
  ) as CreatedOrganization;
  const server = spawnServer(options, port);
  await waitUntilServing(server, '/healthz', 100);
  return { ...server, organization };
}

/** Starts a node with the store of `options`, and does not wait for it. */
export function spawnServer(options: BenchServerOptions, port: number): Omit<Server, 'organization'> {
  const profiling = process.env['CHARTGATE_BENCH_PROFILE'];
  const flags = [
    ...NODE_FLAGS,
    ...(profiling === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiling}`]),
  ];
  const child = spawn(process.execPath, [...flags, ...toProgram(['serve'], options.root)], {
    env: buildEnvironment(options, port),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    url: `http://127.0.0.1:${port}`,
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const buildEnvironment = (
  { databaseUrl, dataDirectory, environment, root = ROOT }: BenchServerOptions,
  port: number,
): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CHARTGATE_BENCH_'))),
  PORT: String(port),
  CHARTGATE_DATA_DIR: dataDirectory,
  CHARTGATE_LOG_LEVEL: 'error',
  // As `npm start` does of a program that is built.
  ...(existsSync(join(root, 'dist')) && { MALLOC_ARENA_MAX: '1' }),
  ...environment,
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
});

/** Asks `path` every so many milliseconds until it is answered with success, for five minutes. */
export async function waitUntilServing(
  { url, process: child }: Pick<Server, 'url' | 'process'>,
  path: string,
  pollMs: number,
): Promise<void> {
  for (const start = performance.now(); ;) {
    if (child.exitCode !== null || performance.now() - start > 300_000)
      throw new Error(`the server does not start (exit code ${child.exitCode})`);
    const answer = await fetch(url + path).catch(() => null);
    if (answer?.ok === true) return;
    await new Promise((wake) => setTimeout(wake, pollMs));
  }
}

export async function newPatient(
  server: Server,
  projectId = server.organization.projectId as string,
): Promise<{ id: string; token: string }> {
  const { organizationId, admin } = server.organization;
  const { token } = await requestJson(server, '/v1/auth/token', { json: admin });
  const created = await requestJson(server, `/v1/organizations/${organizationId}/test-patients`, {
    token: token as string,
    json: {},
  });
  const { id, email, firstName, lastName } = created['patient'] as Record<
    'id' | 'email' | 'firstName' | 'lastName',
    string
  >;
  const patients = [{ email, firstName, lastName }];
  await requestJson(server, `/v1/projects/${projectId}/patients`, {
    token: token as string,
    json: { patients, suppressNotifications: true },
  });
  const login = await requestJson(server, '/v1/auth/token', {
    json: { email, password: created['password'], projectId },
  });
  return { id, token: login['token'] as string };
}

/** Records a patient's consent, or its withdrawal. */
export const decideConsent = (
  server: Server,
  { id, token, projectId }: { id: string; token: string; projectId: string },
  decision: { consentStatus: 'OPTED_IN' | 'OPTED_OUT'; consentDataSensitivityScopes?: readonly string[] },
): Promise<unknown> =>
  requestJson(server, `/v1/projects/${projectId}/test-patients/${id}/consent`, { token, json: decision });

export async function requestJson(
  server: Server,
  path: string,
  { token, json, body }: { token?: string; json?: unknown; body?: FormData },
): Promise<Record<string, unknown>> {
  const sent = body ?? (json === undefined ? undefined : JSON.stringify(json));
  const answer = await fetch(server.url + path, {
    method: sent === undefined ? 'GET' : 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(sent !== undefined && { body: sent }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Milliseconds between two questions whether an upload is done: asking is part of what it costs. */
const UPLOAD_POLL_MS = 200;

/** Uploads an archive, a file or its bytes, and waits until it is read. */
export async function uploadArchive(
  server: Server,
  { id, token }: { id: string; token: string },
  archive: string | Buffer,
): Promise<void> {
  const form = new FormData();
  const bytes = typeof archive === 'string' ? readFileSync(archive) : archive;
  form.append('file', new Blob([new Uint8Array(bytes)]), 'archive.zip');
  const { batchId } = await requestJson(server, `/v1/patients/${id}/upload-documents`, { token, body: form });
  for (;;) {
    const batch = await requestJson(server, `/v1/patients/${id}/upload-documents/${String(batchId)}`, {
      token,
    });
    if (batch['status'] === 'completed') return;
    if (batch['status'] !== 'queued' && batch['status'] !== 'processing')
      throw new Error(`the upload failed: ${JSON.stringify(batch)}`);
    await new Promise((wake) => setTimeout(wake, UPLOAD_POLL_MS));
  }
}
