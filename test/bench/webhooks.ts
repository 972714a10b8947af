import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { generateEventId } from '../../server/surfaces/webhooks/events/event-id.ts';
import { generateWebhookSecret } from '../../server/surfaces/webhooks/signing.ts';
import { startBenchPostgres } from './start-postgres.ts';
import { decideConsent, requestJson, newPatient, startServer, type Server } from './bench-service.ts';
import { median } from './load.ts';
import { startSink, type Sink } from './start-webhook-sink.ts';
import type { Arrivals } from './webhook-sink.ts';

const run = promisify(execFile);

const RATES = [50, 200];
/** More than two cores decide in a second: these events are made by statement. */
const HIGH_RATE = 1000;
const SECONDS = 15;
const ENDPOINTS = 50;
const DEAD = 10;
const FLOOD = 20_000;
const ROUNDS = 3;
/** As many as the service keeps to one endpoint. */
const CONNECTIONS = 16;
const WRITERS = 8;

interface Bench {
  server: Server;
  sink: Sink;
  database: pg.Client;
  databaseUrl: string;
}

/** Events by consents that patients give and withdraw over HTTP, each a commit, on PostgreSQL that writes to disk. */
export async function benchWebhooks({ only = '' } = {}): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-bench-'));
  const postgres = await startBenchPostgres();
  const stops: (() => Promise<unknown>)[] = [postgres.stop];
  try {
    const sink = await startSink(folder);
    stops.unshift(sink.stop);
    const server = await startServer({
      databaseUrl: postgres.url,
      dataDirectory: folder,
      environment: sink.environment,
    });
    stops.unshift(server.stop);
    const database = new pg.Client({ connectionString: postgres.url });
    await database.connect();
    stops.unshift(() => database.end());
    const bench = { server, sink, database, databaseUrl: postgres.url };
    const mixed = Array.from(
      { length: ENDPOINTS },
      (_, index) => `/${index < DEAD ? 'dead' : 'well'}${index}`,
    );
    if (only !== 'flat') {
      await measureLatency(bench, 'one endpoint that answers', ['/well']);
      await measureLatency(bench, `${DEAD} of ${ENDPOINTS} endpoints never answer; of the others`, mixed);
      await measureLatencyOfInserted(bench);
    }
    if (only !== 'latency') await measureThroughput(bench);
  } finally {
    for (const stop of stops) await stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Times from the envelope's `timestamp`, which is a little before the commit, to the arrival of the first attempt. */
async function measureLatency(bench: Bench, name: string, paths: readonly string[]): Promise<void> {
  const { server, sink, database } = bench;
  const projects = await insertWebhooks(bench, paths);
  const patients: DecisionLoad['patients'][number][] = [];
  for (let index = 0; index < Math.max(projects.length, 8); index++) {
    const projectId = projects[index % projects.length] as string;
    patients.push({ ...(await newPatient(server, projectId)), projectId });
  }
  for (const rate of RATES) {
    await makeDecisions({ server, patients }, { rate, seconds: 3 });
    await waitUntilSettled(database);
    await sink.report();
    const made = await makeDecisions({ server, patients }, { rate, seconds: SECONDS });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    printWaits(name, made, await sink.report());
  }
}

interface MadeEvents {
  count: number;
  perSecond: number;
}

function printWaits(name: string, made: MadeEvents, { waits }: Arrivals): void {
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
  print(
    `webhooks, ${name}: ${made.perSecond.toFixed(0)} events/s (${made.count} events, ${waits.length} arrived); event to first attempt p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, most ${sorted.at(-1)} ms`,
  );
}

/** One endpoint at a rate that decisions over HTTP do not reach. Nobody wakes the service: it looks after each attempt. */
async function measureLatencyOfInserted(bench: Bench): Promise<void> {
  const [projectId = ''] = await insertWebhooks(bench, ['/well']);
  await insertAtRate(bench, projectId, 3);
  await waitUntilSettled(bench.database);
  await bench.sink.report();
  const made = await insertAtRate(bench, projectId, SECONDS);
  await waitUntilSettled(bench.database);
  printWaits('one endpoint that answers, events by statement', made, await bench.sink.report());
}

/** Each event is a commit, as decisions are. */
async function insertAtRate(
  { server, databaseUrl }: Bench,
  projectId: string,
  seconds: number,
): Promise<MadeEvents> {
  const { organizationId } = server.organization;
  const start = performance.now();
  const total = HIGH_RATE * seconds;
  let next = 0;
  async function write(): Promise<void> {
    const writer = new pg.Client(databaseUrl);
    await writer.connect();
    try {
      while (next < total) {
        const due = start + (next++ * 1000) / HIGH_RATE;
        const early = due - performance.now();
        if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
        await insertDeliveries(writer, { organizationId, projectId, count: 1 });
      }
    } finally {
      await writer.end();
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write));
  return { count: total, perSecond: total / ((performance.now() - start) / 1000) };
}

interface DecisionLoad {
  server: Server;
  patients: readonly { id: string; token: string; projectId: string }[];
}

/** Each patient gives and withdraws consents, one after the other; so many decisions a second of all of them. */
async function makeDecisions(
  { server, patients }: DecisionLoad,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<MadeEvents> {
  const start = performance.now();
  const total = rate * seconds;
  let next = 0;
  async function decide(patient: DecisionLoad['patients'][number]): Promise<void> {
    for (let turn = 0; next < total; turn++) {
      const due = start + (next++ * 1000) / rate;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      await decideConsent(server, patient, { consentStatus: turn % 2 === 0 ? 'OPTED_IN' : 'OPTED_OUT' });
    }
  }
  await Promise.all(patients.map(decide));
  return { count: total, perSecond: total / ((performance.now() - start) / 1000) };
}

/** One webhook a path, each for a project of its own; in place of those before. Answers the projects. */
async function insertWebhooks(
  { server, sink, database }: Bench,
  paths: readonly string[],
): Promise<string[]> {
  const { organizationId, admin, projectId } = server.organization;
  const { token } = await requestJson(server, '/v1/auth/token', { json: admin });
  await database.query('delete from webhook');
  const projects: string[] = [];
  for (const [index, at] of paths.entries()) {
    const project =
      index === 0
        ? projectId
        : ((
            await requestJson(server, `/v1/organizations/${organizationId}/projects`, {
              token: token as string,
              json: { name: `Study ${index}` },
            })
          )['id'] as string);
    projects.push(project);
    // Past the limit of an organization.
    await database.query(
      `with made as (
         insert into webhook (organization_id, webhook_id, url, description, event_types, project_ids, status, status_since,
           created_at, changed_at)
         values ($1, gen_random_uuid(), $2, '', '{consent.granted,consent.withdrawn}', array[$3::uuid], 'active', now(), now(), now())
         returning webhook_id)
       insert into webhook_secret (organization_id, webhook_id, secret, created_at) select $1, webhook_id, $4, now() from made`,
      [organizationId, sink.url + at, project, generateWebhookSecret()],
    );
  }
  return projects;
}

/** Until nothing is due at endpoints that answer. */
async function waitUntilSettled(database: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await database.query(
      `select from webhook_delivery d join webhook w using (organization_id, webhook_id)
       where state in ('pending', 'retrying') and w.url not like '%/dead%' limit 1`,
    );
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** What waits for one endpoint, sent as fast as it goes, against a loop that only posts. */
async function measureThroughput(bench: Bench): Promise<void> {
  const [projectId = ''] = await insertWebhooks(bench, ['/flat']);
  const { organizationId } = bench.server.organization;
  const body = JSON.stringify({ type: 'consent.withdrawn', filler: 'x'.repeat(520) });
  const rates: { ours: number[]; floor: number[] } = { ours: [], floor: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const loop = path.join(import.meta.dirname, 'floors/post-loop.ts');
    const args = [loop, `${bench.sink.url}/flat`, FLOOD, CONNECTIONS, bench.sink.authority, body].map(String);
    const { stdout } = await run(process.execPath, args);
    await bench.sink.report();
    const arrival = bench.sink.until(FLOOD);
    await insertDeliveries(bench.database, { organizationId, projectId, count: FLOOD });
    const { first, last } = await arrival;
    await waitUntilSettled(bench.database);
    // The first round warms up.
    if (round === 0) continue;
    rates.floor.push(FLOOD / Number(stdout));
    rates.ours.push((FLOOD * 1000) / (last - first));
  }
  const [ours, floor] = [median(rates.ours), median(rates.floor)];
  print(
    `webhooks, flat out: ${ours.toFixed(0)} deliveries/s to one endpoint, ${(ours / floor).toFixed(2)} of undici posting alone (${floor.toFixed(0)}/s, ${CONNECTIONS} connections)`,
  );
}

/** Events of a kind as withdrawals are, all due at once. */
async function insertDeliveries(
  database: pg.Client,
  { organizationId, projectId, count }: { organizationId: string; projectId: string; count: number },
): Promise<void> {
  await database.query(
    `with event as (
       insert into webhook_event (organization_id, event_id, project_id, type, occurred_at, data)
       select $1::uuid, event_id, $2, 'consent.withdrawn', now(), $3 from unnest($4::text[]) event_id
       returning event_id)
     insert into webhook_delivery (organization_id, webhook_id, event_id, state, due_at, created_at, changed_at)
     select $1::uuid, webhook_id, event_id, 'pending', now() - row_number() over () * interval '1 microsecond', now(), now()
     from event cross join webhook`,
    [
      organizationId,
      projectId,
      JSON.stringify({
        patientId: projectId,
        consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE',
        withdrawnAt: new Date().toISOString(),
        fullRecordWithoutRestrictedData: true,
        consentDataResourceScopes: null,
        consentDataSensitivityScopes: null,
        withdrawalSource: 'PATIENT',
        effectiveImmediately: true,
      }),
      Array.from({ length: count }, () => generateEventId(new Date())),
    ],
  );
}
