import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CreatedOrganization } from '../../server/identity/members/create-organization.ts';
import { readMigrations } from '../../server/platform/db/migrate.ts';
import { createArchive } from '../harness/archive.ts';
import { refresh } from '../harness/authorization.ts';
import { isLong } from '../harness/long.ts';
import { findFreePort } from '../harness/postgres.ts';
import {
  call,
  callTool,
  decide,
  getOrganizationToken,
  newTestPatient,
  upload,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { createDatabase } from '../harness/store.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.ts';
import { createServerNode, type ServerNode } from '../storage/server-node.ts';
import { checkOutProgram, type EarlierProgram } from './earlier-program.ts';
import { BASE_URL, fillStore, type Known } from './fill-store.ts';
import { RELEASES } from './releases.ts';

/** So often each kind of request is made in each part of the upgrade. */
const ROUNDS = 3;

/**
 * The released version before today's schema and today's program on one database. Needs the history of the clone and ten
 * CPU-seconds, so it runs in `npm run test:long`; every run holds new migrations to the rule (`migration-faults.test.ts`).
 */
describe('an upgrade node by node', { skip: isLong ? false : 'runs in npm run test:long' }, () => {
  let program: EarlierProgram;
  let receiver: WebhookReceiver;
  let earlier: ServerNode;
  let today: ServerNode;
  let known: Known;
  before(async () => {
    const newest = (await readMigrations()).at(-1)?.name ?? '';
    const release = RELEASES.findLast(({ schema }) => schema < newest.slice(0, 4));
    assert.ok(release);
    program = checkOutProgram(release.commit);
    receiver = await startWebhookReceiver();
    const environment = {
      DATABASE_URL: await createDatabase({ template: 'template0' }),
      CHARTGATE_DATA_DIR: `${program.root}/data`,
      CHARTGATE_BASE_URL: BASE_URL,
      CHARTGATE_ALLOWED_HOSTS: '127.0.0.1',
      CHARTGATE_MCP_RATE_LIMIT: '1000000',
      CHARTGATE_OAUTH_RATE_LIMIT: '1000000',
      CHARTGATE_WEBHOOK_ALLOW_PRIVATE: '1',
      NODE_EXTRA_CA_CERTS: receiver.authorityFile,
    };
    const init = ['init', '--organization', 'Riverside Clinic', '--project', 'Asthma study', '--json'];
    const organization = JSON.parse(await program.run(init, environment)) as CreatedOrganization;
    earlier = createServerNode(await findFreePort(), environment, program.root);
    today = createServerNode(await findFreePort(), environment);
    await earlier.start();
    known = await fillStore(
      { baseUrl: earlier.baseUrl, organization, webhookUrl: receiver.localUrl() },
      release.schema,
    );
  });
  after(async () => {
    await earlier.kill();
    await today.kill();
    await receiver.stop();
    program.remove();
  });

  it('fails no request, on either node, before, while and after the new one migrates', async () => {
    const load = await startLoad(known, [earlier]);
    await load.rounds(ROUNDS);
    await today.start();
    await load.rounds(ROUNDS);
    load.serveBy([earlier, today]);
    await load.rounds(2 * ROUNDS);
    // As a balancer does: first nothing more is sent to it, then it is stopped.
    load.serveBy([today]);
    await load.rounds(ROUNDS);
    await earlier.stop();
    await load.rounds(ROUNDS);
    assert.deepEqual(await load.stop(), []);
    assert.deepEqual([earlier.output, today.output], ['', '']);
  });
});

interface Load {
  serveBy(nodes: readonly ServerNode[]): void;
  /** Waits until each kind of request was made so often from now on. */
  rounds(count: number): Promise<void>;
  /** Ends it; answers what failed. */
  stop(): Promise<string[]>;
}

/** Requests of each kind, one after the other, to the nodes in turn. */
async function startLoad(known: Known, first: readonly ServerNode[]): Promise<Load> {
  let nodes = first;
  let turn = 0;
  const over = new AbortController();
  const failures: string[] = [];
  const made = new Map<string, number>();
  const kinds = await listKinds(known, first[0] as ServerNode);
  const pick = (): TestService => {
    const { baseUrl } = nodes[turn++ % nodes.length] as ServerNode;
    return { baseUrl, organization: known.organization } as TestService;
  };
  const loops = Array.from(kinds, async ([kind, send]) => {
    while (!over.signal.aborted) {
      const service = pick();
      const answer = await send(service).catch((error: Error) => ({ status: 0, body: error.message }));
      if (answer.status < 200 || answer.status > 299)
        failures.push(`${kind} at ${service.baseUrl}: ${answer.status} ${JSON.stringify(answer.body)}`);
      made.set(kind, (made.get(kind) ?? 0) + 1);
    }
  });
  return {
    serveBy: (given) => void (nodes = given),
    async rounds(count) {
      const from = new Map(made);
      while (Array.from(kinds.keys()).some((kind) => (made.get(kind) ?? 0) < (from.get(kind) ?? 0) + count))
        await sleep(20);
    },
    async stop() {
      over.abort();
      await Promise.all(loops);
      return failures;
    },
  };
}

type Send = (service: TestService) => Promise<Pick<HttpResponse, 'status' | 'body'>>;

/** One of each that writes or reads tables of its own; those that write have a patient of their own. */
async function listKinds(
  { organization, patient, connected, webhookId }: Known,
  { baseUrl }: ServerNode,
): Promise<ReadonlyMap<string, Send>> {
  assert.ok(connected);
  const service = { baseUrl, organization } as TestService;
  const [deciding, uploading] = [await newTestPatient(service), await newTestPatient(service)];
  const token = await getOrganizationToken(service);
  const below = `/v1/organizations/${organization.organizationId}`;
  let refreshToken = connected.refreshToken;
  let count = 0;
  return new Map<string, Send>([
    ...['get_health_summary', 'get_conditions', 'get_labs', 'get_visits'].map((tool): [string, Send] => [
      tool,
      (on) => callTool(on, patient, tool),
    ]),
    ['search', (on) => callTool(on, patient, 'search', { query: `wheezing ${++count}` })],
    ['$everything', (on) => call(on, `/FHIR/R4/Person/${patient.id}/$everything`, { token: patient.token })],
    ['token', (on) => call(on, '/v1/auth/token', { json: organization.researcher })],
    ['decision', (on) => decide(on, deciding, ++count % 2 === 0 ? 'OPTED_IN' : 'OPTED_OUT')],
    [
      'upload',
      async (on) => {
        const note = {
          resourceType: 'Condition',
          id: `c${++count}`,
          subject: { reference: 'Patient/p' },
          code: { text: 'Gout' },
        };
        const batch = await upload(on, uploading, await createArchive({ 'a.json': note }));
        return { status: batch.status === 'completed' ? 200 : 500, body: batch };
      },
    ],
    [
      'refresh',
      async (on) => {
        const answer = await refresh(on, connected.clientId, refreshToken);
        if (answer.status === 200) refreshToken = answer.body.refresh_token as string;
        return answer;
      },
    ],
    ['test patient', (on) => call(on, `${below}/test-patients`, { method: 'POST', token })],
    ...[
      '/patients',
      '/consent-records',
      '/audit-events',
      '/access-log',
      '/api-keys',
      `/webhooks/${webhookId}/deliveries`,
    ].map((path): [string, Send] => [path, (on) => call(on, below + path, { token })]),
  ]);
}
