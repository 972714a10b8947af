import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createArchive } from '../harness/archive.ts';
import { startBenchPostgres } from './start-postgres.ts';
import type { Engine } from '../harness/store.ts';
import { newPatient, requestJson, startServer, type Server } from './bench-service.ts';

interface Patient {
  id: string;
  token: string;
}

/** The longest that one in twenty uploads, or tool calls, took; milliseconds. */
interface Percentiles {
  upload: number;
  call: number;
}

const UPLOADS = 20;
const CALLS_PER_UPLOAD = 10;

/** One patient uploads the worst archive, another uploads and calls tools: 95th percentiles alone and beside it. */
export async function benchNoisyNeighbour(
  engines: readonly Engine[] = ['postgresql', 'embedded'],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chartgate-noisy-'));
  const postgres = await startBenchPostgres();
  try {
    for (const engine of engines) {
      const databaseUrl = engine === 'postgresql' ? postgres.url : undefined;
      const server = await startServer({
        databaseUrl,
        dataDirectory: join(folder, engine),
        environment: { CHARTGATE_MCP_RATE_LIMIT: '100000000' },
      });
      try {
        await measureEngine(server, engine);
      } finally {
        await server.stop();
      }
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each measurement is of a record of its own, which grows in it as the other's does; both threads of imports are warm. */
async function measureEngine(server: Server, engine: Engine): Promise<void> {
  const patients = [];
  for (let index = 0; index < 4; index++) patients.push(await newPatient(server));
  const [noisy, other, first, second] = patients as [Patient, Patient, Patient, Patient];
  for (const patient of [other, first, second]) await optIn(server, patient);
  await Promise.all([measure(server, other, 'warm-up'), measure(server, first, 'warm-up')]);
  const alone = await measure(server, second, 'alone');
  const archive = await createWorstArchive();
  for (let index = 0; index < 5; index++) await upload(server, noisy, archive);
  await waitUntilReading(server, noisy);
  const third = await newPatient(server);
  await optIn(server, third);
  const beside = await measure(server, third, 'beside');
  for (const what of ['upload', 'call'] as const)
    process.stdout.write(
      `noisy neighbour ${engine}: ${what} p95 ${Math.round(alone[what])} ms alone, ${Math.round(beside[what])} ms beside the worst archive: ${(beside[what] / alone[what]).toFixed(2)} times\n`,
    );
}

async function optIn(server: Server, { id, token }: Patient): Promise<void> {
  const path = `/v1/projects/${server.organization.projectId as string}/test-patients/${id}/consent`;
  await requestJson(server, path, { token, json: { consentStatus: 'OPTED_IN' } });
}

/** Uploads small archives one after another, each read to its end, and calls a tool meanwhile. */
async function measure(server: Server, patient: Patient, name: string): Promise<Percentiles> {
  const uploads: number[] = [];
  const calls: number[] = [];
  for (let index = 0; index < UPLOADS; index++) {
    const archive = await createArchive({
      'labs.json': { resourceType: 'Bundle', type: 'collection', entry: createLabs(`${name}-${index}`) },
      'letter.html': `<html><body><h1>Letter</h1><p>Nothing new in ${name} ${index}.</p></body></html>`,
    });
    const start = performance.now();
    const read = upload(server, patient, archive).then((batchId) => waitUntilRead(server, patient, batchId));
    for (let call = 0; call < CALLS_PER_UPLOAD; call++) calls.push(await callTool(server, patient));
    await read;
    uploads.push(performance.now() - start);
  }
  return { upload: findPercentile(uploads), call: findPercentile(calls) };
}

const findPercentile = (durations: readonly number[]): number =>
  durations.toSorted((one, other) => one - other)[Math.ceil(0.95 * durations.length) - 1] as number;

const createLabs = (name: string): object[] =>
  Array.from({ length: 20 }, (_, index) => ({
    resource: {
      resourceType: 'Observation',
      id: `${name}-${index}`,
      status: 'final',
      category: [{ coding: [{ system: LAB_CATEGORY, code: 'laboratory' }] }],
      code: { coding: [{ system: 'http://loinc.org', code: '2345-7', display: 'Glucose' }] },
      effectiveDateTime: '2026-01-02T08:00:00Z',
      valueQuantity: { value: 90 + index, unit: 'mg/dL' },
    },
  }));

const LAB_CATEGORY = 'http://terminology.hl7.org/CodeSystem/observation-category';

async function upload(server: Server, { id, token }: Patient, archive: Buffer): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(archive)]), 'archive.zip');
  const { batchId } = await requestJson(server, `/v1/patients/${id}/upload-documents`, { token, body });
  return String(batchId);
}

async function waitUntilRead(server: Server, { id, token }: Patient, batchId: string): Promise<void> {
  for (;;) {
    const batch = await requestJson(server, `/v1/patients/${id}/upload-documents/${batchId}`, { token });
    if (batch['status'] === 'completed') return;
    if (batch['completedAt'] !== null) throw new Error(`the upload was not read: ${JSON.stringify(batch)}`);
    await sleep(10);
  }
}

async function waitUntilReading(server: Server, { id, token }: Patient): Promise<void> {
  for (;;) {
    const { results } = await requestJson(server, `/v1/patients/${id}/upload-documents`, { token });
    if ((results as { status: string }[]).some(({ status }) => status === 'processing')) return;
    await sleep(50);
  }
}

/** Returns how long the call took. */
async function callTool(server: Server, { token }: Patient): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_labs', arguments: {} },
    }),
  });
  if (!response.ok) throw new Error(`/mcp: ${response.status} ${await response.text()}`);
  await response.text();
  return performance.now() - start;
}

/** PDFs of 1 kB whose forms draw forms, each ten times, ten deep: each takes its converter all the time that it may have. */
const createWorstArchive = (): Promise<Buffer> =>
  createArchive(
    Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.pdf`, createWorstPdf(index)])),
  );

const DEPTH = 10;

function createWorstPdf(seed: number): Buffer {
  const forms = Array.from({ length: DEPTH }, (_, level) => {
    const isLast = level === DEPTH - 1;
    const content = isLast ? `BT /F1 9 Tf (${seed}) Tj ET` : '/X Do '.repeat(10);
    const inner = isLast ? '' : `/XObject << /X ${11 + level} 0 R >>`;
    return `${10 + level} 0 obj << /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 5 0 R >> ${inner} >> /Length ${content.length} >> stream\n${content}\nendstream endobj`;
  });
  return Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      '2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj',
      '3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /XObject << /X 10 0 R >> >> >> endobj',
      '4 0 obj << /Length 5 >> stream\n/X Do\nendstream endobj',
      '5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj',
      ...forms,
      'trailer << /Root 1 0 R >>',
      '%%EOF',
    ].join('\n'),
  );
}
