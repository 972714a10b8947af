import path from 'node:path';
import autocannon from 'autocannon';
import { writeRecordArchive } from '../../../tools/synthetic-record/record-archive.ts';
import { createArchive, createBundle } from '../../harness/archive.ts';
import type { TestPatient } from '../../harness/service.ts';
import { decideConsent, requestJson, uploadArchive, type Server } from '../bench-service.ts';
import { createPatient } from './patients.ts';
import type { Row, Subject, Workload } from './workload.ts';

interface ToolCall {
  name: string;
  arguments: object;
}

const TOOLS: readonly ToolCall[] = [
  { name: 'get_conditions', arguments: {} },
  { name: 'get_health_summary', arguments: {} },
  { name: 'search', arguments: { query: 'high blood pressure' } },
];

const CALLS = 600;
const CONNECTIONS = 8;

/** A study for each selection of these: an answer is kept for each kind of consent by itself, so 64 first readings. */
const CLASSES = [
  'GENETIC_TESTING',
  'MENTAL_HEALTH',
  'PSYCHOTHERAPY_NOTES',
  'REPRODUCTIVE_HEALTH_DATA',
  'SICKLE_CELL',
  'SUD_PART_2',
];

/**
 * Calls of tools: the same question again, on eight connections, and first readings, one after the other, each of a record of
 * which no answer is kept.
 */
export const mcp: Workload = {
  name: 'mcp',
  warmsUp: true,
  async open(contender): Promise<Subject> {
    const archive = path.join(contender.folder, 'record.zip');
    await writeRecordArchive({ seed: 3, years: 15, endsOn: new Date().toISOString().slice(0, 10) }, archive);
    const server = await contender.start();
    const patient = await createPatient(server);
    await uploadArchive(server, patient, archive);
    const tokens = await enrollInStudies(server, patient);
    const pids = { service: server.process.pid, database: contender.databasePid };
    const settle = () => contender.settle(server);
    await settle();
    const context = { server, patient, tokens, settle };
    return { pids: () => pids, rows: new Map(TOOLS.flatMap((tool) => createRows(tool, context))) };
  },
};

interface RowContext {
  server: Server;
  patient: TestPatient;
  /** Of the patient in each study. */
  tokens: readonly string[];
  settle(): Promise<void>;
}

function createRows(tool: ToolCall, { server, patient, tokens, settle }: RowContext): [name: string, Row][] {
  let change = 0;
  const again: Row = {
    async run() {
      await callOften(server, patient.token, tool);
      return CALLS;
    },
  };
  const first: Row = {
    // Answers of the record as it was are old.
    async prepare() {
      await uploadArchive(server, patient, await createChange(tool.name, change++));
      await settle();
    },
    async run() {
      for (const token of tokens) await callOnce(server, token, tool);
      return tokens.length;
    },
  };
  return [
    [`${tool.name}, again`, again],
    [`${tool.name}, first reading`, first],
  ];
}

/** Enrolls a patient in a study for each selection of the classes, and answers the tokens. */
async function enrollInStudies(server: Server, { id, email, password }: TestPatient): Promise<string[]> {
  const { organizationId, admin } = server.organization;
  const { token } = (await requestJson(server, '/v1/auth/token', { json: admin })) as { token: string };
  const person = await requestJson(server, `/v1/organizations/${organizationId}/test-patients/${id}`, {
    token,
  });
  const { firstName, lastName } = person as Record<string, string>;
  const tokens: string[] = [];
  for (let selection = 0; selection < 2 ** CLASSES.length; selection++) {
    const study = { name: `Study ${selection}` };
    const project = await requestJson(server, `/v1/organizations/${organizationId}/projects`, {
      token,
      json: study,
    });
    const projectId = project['id'] as string;
    const patients = [{ email, firstName, lastName }];
    await requestJson(server, `/v1/projects/${projectId}/patients`, {
      token,
      json: { patients, suppressNotifications: true },
    });
    const login = await requestJson(server, '/v1/auth/token', { json: { email, password, projectId } });
    const enrolled = { id, token: login['token'] as string, projectId };
    const chosen = CLASSES.filter((_, index) => (selection & (1 << index)) !== 0);
    await decideConsent(server, enrolled, {
      consentStatus: 'OPTED_IN',
      consentDataSensitivityScopes: ['NORMAL', ...chosen],
    });
    tokens.push(enrolled.token);
  }
  return tokens;
}

/** An upload of one weight that the record does not have. */
const createChange = (tool: string, change: number): Promise<Buffer> =>
  createArchive({
    'record.json': createBundle({
      resourceType: 'Observation',
      id: `${tool.replaceAll('_', '-')}-${change}`,
      status: 'final',
      code: { coding: [{ system: 'http://loinc.org', code: '29463-7' }] },
      effectiveDateTime: '2001-02-03',
      valueQuantity: { value: 60 + change, unit: 'kg' },
    }),
  });

const toRequest = (server: Server, token: string, tool: ToolCall) => ({
  url: `${server.url}/mcp`,
  method: 'POST' as const,
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }),
});

/** One call; autocannon would take a second to see that it is over. */
async function callOnce(server: Server, token: string, tool: ToolCall): Promise<void> {
  const { url, ...request } = toRequest(server, token, tool);
  const answer = await fetch(url, request);
  const text = await answer.text();
  if (!answer.ok || !text.includes('"content"')) throw new Error(`${url}: ${answer.status}`);
}

/** Any answer but 200 is an error of the benchmark. */
async function callOften(server: Server, token: string, tool: ToolCall): Promise<void> {
  const load = { amount: CALLS, connections: CONNECTIONS };
  const result = await autocannon({ ...toRequest(server, token, tool), ...load });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${server.url}: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`);
}
