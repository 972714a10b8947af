import path from 'node:path';
import { writeRecordArchive } from '../../../tools/synthetic-record/record-archive.ts';
import { uploadArchive, type Server } from '../bench-service.ts';
import { createPatient } from './patients.ts';
import type { Row, Workload } from './workload.ts';

/** 5,000 resources and more. */
const PLAN = { seed: 1, years: 40, visitsPerYear: 7, endsOn: '2026-01-01' };
const RECORDS = 15;
const PAGES = 200;

/** `$everything`: the whole record as NDJSON, and the first page of a hundred as a Bundle, one after the other. */
export const everything: Workload = {
  name: 'everything',
  warmsUp: true,
  async open(contender) {
    const archive = path.join(contender.folder, 'record.zip');
    await writeRecordArchive(PLAN, archive);
    const server = await contender.start();
    const { id, token } = await createPatient(server);
    await uploadArchive(server, { id, token }, archive);
    const pids = { service: server.process.pid, database: contender.databasePid };
    await contender.settle(server);
    const read = (times: number, query: string, accept: string): Row => ({
      async run() {
        const request = { path: `/FHIR/R4/Person/${id}/$everything${query}`, token, accept };
        for (let time = 0; time < times; time++) await download(server, request);
        return times;
      },
    });
    return {
      pids: () => pids,
      rows: new Map([
        ['the whole record as NDJSON', read(RECORDS, '', 'application/fhir+ndjson')],
        ['a page of 100', read(PAGES, '?_count=100', 'application/fhir+json')],
      ]),
    };
  },
};

async function download(
  server: Server,
  { path, token, accept }: { path: string; token: string; accept: string },
): Promise<void> {
  const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}`, accept } });
  const bytes = await answer.arrayBuffer();
  if (!answer.ok || bytes.byteLength === 0) throw new Error(`${path}: ${answer.status}`);
}
