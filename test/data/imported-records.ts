import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { NOT_READ_IN_TIME } from '../../server/clinical/ingest/batches/read-again.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { onProcessEnd } from '../harness/process-end.ts';
import {
  callTool,
  getToolText,
  newTestPatient,
  startTestService,
  upload,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import type { DevelopmentRecord } from './development-records.ts';
import { parseResource, type RawResource } from './facts/json.ts';
import { createZip } from './sample-data.ts';
import type { CallTool } from './tool-texts.ts';

/** A record that was uploaded to a patient of its own, who consents to everything. */
export interface ImportedRecord {
  service: TestService;
  patient: TestPatient;
  /** As it stands after the upload. */
  batch: HttpResponse['body'];
  callTool: CallTool;
  readResources(): Promise<RawResource[]>;
}

let shared: Promise<TestService> | undefined;

/** The service whose patients have the published records: one for all files of the process. */
export function getSharedService(): Promise<TestService> {
  return (shared ??= startSharedService());
}

async function startSharedService(): Promise<TestService> {
  const service = await startTestService({ environment: { CHARTGATE_MCP_RATE_LIMIT: '1000000' } });
  onProcessEnd(() => service.stop());
  return service;
}

const imported = new Map<string, Promise<ImportedRecord>>();

/**
 * Imports a record of `listDevelopmentRecords`, once for all files of the process: whoever asks for it reads what it became
 * and may bring it again, and changes nothing.
 */
export function importRecord(record: DevelopmentRecord): Promise<ImportedRecord> {
  const found = imported.get(record.name) ?? importNow(() => readUpload(record));
  imported.set(record.name, found);
  return found;
}

/** A published archive as it is. */
const readUpload = async ({ archive, readFiles }: DevelopmentRecord): Promise<Buffer> =>
  archive === undefined ? createZip(await readFiles()) : readFileSync(archive);

async function importNow(read: () => Promise<Buffer>): Promise<ImportedRecord> {
  const service = await getSharedService();
  const { patient, batch } = await uploadInTime(service, await read());
  assert.match(batch.status, /^completed/);
  return {
    service,
    patient,
    batch,
    callTool: (tool, input) => callToolText({ service, patient }, tool, input),
    async readResources() {
      const rows = await service.store.db.query(sql<{ body: string }>`
        select body from resource where patient_id = ${patient.id} order by seq`);
      return rows.map(({ body }) => parseResource(body));
    },
  };
}

const MAX_TRIES = 8;

/**
 * Uploads for a new patient, and for another one where a document was not read in time: the twenty seconds that each has are a
 * hundred times what it needs, and a machine that others keep busy may use them up all the same.
 */
async function uploadInTime(
  service: TestService,
  archive: Buffer,
): Promise<Pick<ImportedRecord, 'patient' | 'batch'>> {
  for (let tries = 1; ; tries++) {
    const patient = await newTestPatient(service);
    const batch = await upload(service, patient, archive);
    const isLate = batch.rejected.some(({ code }: { code: string }) => code === NOT_READ_IN_TIME);
    if (!isLate || tries === MAX_TRIES) return { patient, batch };
  }
}

async function callToolText(
  { service, patient }: { service: TestService; patient: TestPatient },
  tool: string,
  input: object,
): Promise<string> {
  const answer = await callTool(service, patient, tool, input);
  assert.equal(answer.body.error, undefined, `${tool}: ${JSON.stringify(answer.body.error)}`);
  return getToolText(answer);
}
