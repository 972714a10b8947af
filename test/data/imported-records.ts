import assert from 'node:assert/strict';
import { sql } from '../../server/platform/db/sql.ts';
import {
  callTool,
  getToolText,
  newTestPatient,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import type { DevelopmentRecord } from './development-records.ts';
import { parseResource, type RawResource } from './facts/json.ts';
import { createZip } from './sample-data.ts';
import type { CallTool } from './tool-texts.ts';

/** A record that was uploaded to a patient of its own, who consents to everything. */
export interface ImportedRecord {
  callTool: CallTool;
  readResources(): Promise<RawResource[]>;
}

export async function importRecord(
  service: TestService,
  record: Pick<DevelopmentRecord, 'readFiles'>,
): Promise<ImportedRecord> {
  const patient = await newTestPatient(service);
  const batch = await upload(service, patient, await createZip(await record.readFiles()));
  assert.match(batch.status, /^completed/);
  return {
    callTool: (tool, input) => callToolText({ service, patient }, tool, input),
    async readResources() {
      const rows = await service.store.db.query(sql<{ body: string }>`
        select body from resource where patient_id = ${patient.id} order by seq`);
      return rows.map(({ body }) => parseResource(body));
    },
  };
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
