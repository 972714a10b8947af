import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { createService, type Service } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { openPostgres } from '../../server/platform/db/postgres.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { buildAuthorizePath, newFlow, obtainTokens, postForm, type Flow } from '../harness/authorization.ts';
import { findFreePort } from '../harness/postgres.ts';
import {
  call,
  callTool,
  getOrganizationToken,
  newOrganization,
  newTestPatient,
  type TestPatient,
  type TestService,
  waitUntilServing,
} from '../harness/service.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';
import { waitUntil } from '../harness/wait-until.ts';

type Mode = 'open' | 'refusing' | 'losing commits';

/** A proxy to PostgreSQL that can refuse connections, or pass a commit on and drop the connection instead of its answer. */
async function startProxy(target: URL): Promise<{ url: string; setMode(next: Mode): void; close(): void }> {
  let mode: Mode = 'open';
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    if (mode === 'refusing') {
      client.destroy();
      return;
    }
    const upstream = net.connect(Number(target.port), target.hostname);
    let losesAnswer = false;
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    client.on('data', (bytes) => {
      losesAnswer = mode === 'losing commits' && bytes.includes('commit\0');
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => (losesAnswer ? end() : client.write(bytes)));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  return {
    url: url.href,
    setMode(next) {
      mode = next;
      if (mode === 'refusing') for (const socket of sockets) socket.destroy();
    },
    close: () => server.close(),
  };
}

describe('case 177: a store that is away, or lost in the middle of a commit', () => {
  let store: TestStore;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let db: Db;
  let made: Service;
  let service: TestService;
  let patient: TestPatient;
  let organizationToken: string;
  let flow: Flow;
  let accessToken: string;
  before(async () => {
    store = await openTestStore();
    proxy = await startProxy(new URL(store.databaseUrl as string));
    db = openPostgres(proxy.url);
    const config = readConfig({
      PORT: String(await findFreePort()),
      CHARTGATE_DATA_DIR: store.dataDirectory,
      CHARTGATE_LOG_LEVEL: 'silent',
    });
    made = createService({ config, db, clock: systemClock });
    await made.app.listen({ port: config.http.port, host: config.http.host });
    const parts = { store, clock: systemClock } as unknown as TestService;
    const organization = await newOrganization(parts);
    service = { ...parts, ...made, config, baseUrl: config.http.baseUrl, organization };
    patient = await newTestPatient(service);
    organizationToken = await getOrganizationToken(service);
    flow = await newFlow(service);
    accessToken = (await obtainTokens(service, flow)).access_token as string;
  });
  after(async () => {
    await made.app.close();
    await made.worker.stop();
    await db.close();
    proxy.close();
    await store.remove();
  });

  const withdraw = () =>
    call(service, `/v1/projects/${patient.projectId}/patients/${patient.id}/consent`, {
      token: patient.token,
      json: { consentStatus: 'OPTED_OUT', consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE' },
    });
  const countDecisions = async (): Promise<number> =>
    (await store.db.query(sql`select 1 from consent_record where patient_id = ${patient.id}`)).length;

  it('says of a commit without an answer that its outcome is unknown, and how to learn it', async () => {
    const before = await countDecisions();
    proxy.setMode('losing commits');
    const { status, headers, body } = await withdraw().finally(() => proxy.setMode('open'));
    assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'outcome_unknown', '5']);
    assert.match(body.detail, /not known whether it was made.*Read \(GET\)/);
    assert.equal(await countDecisions(), before + 1, 'it was made');
    assert.equal((await callTool(service, patient, 'get_labs')).status, 403);
    assert.equal((await withdraw()).status, 201, 'and may be sent again');
  });

  it('answers 503 with Retry-After in the dialect of each protocol, and never says what it does not know', async () => {
    proxy.setMode('refusing');
    try {
      const problem = await withdraw();
      assert.deepEqual([problem.status, problem.body.code], [503, 'store_unavailable']);
      const outcome = await call(service, `/FHIR/R4/Person/${patient.id}/$everything`, {
        token: organizationToken,
      });
      assert.deepEqual(
        [outcome.status, outcome.body.resourceType, outcome.body.issue[0].code],
        [503, 'OperationOutcome', 'transient'],
      );
      const rpc = await callTool(service, { token: accessToken }, 'get_labs');
      assert.deepEqual([rpc.status, rpc.body.jsonrpc, rpc.body.error.code], [503, '2.0', -32000]);
      assert.equal(rpc.body.id, 1, 'of a message that was not read when it was refused');
      const oauth = await postForm(service, '/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: 'x',
        client_id: flow.client.client_id as string,
      });
      assert.deepEqual([oauth.status, oauth.body.error], [503, 'temporarily_unavailable']);
      const page = await call(
        service,
        buildAuthorizePath({ clientId: flow.client.client_id as string, challenge: flow.pkce.challenge }),
        { headers: { accept: 'text/html' } },
      );
      assert.equal(page.status, 503);
      assert.match(page.body, /We cannot answer just now/);
      for (const { headers, body } of [problem, outcome, rpc, oauth, page]) {
        assert.match(headers.get('retry-after') ?? '', /^\d+$/);
        assert.doesNotMatch(JSON.stringify(body), /nothing was changed/i);
      }
      assert.equal((await call(service, '/readyz')).status, 503);
    } finally {
      proxy.setMode('open');
    }
  });

  it('answers 507 to the message that was sent, and to none where it does not come', async () => {
    db.capacity.set('full');
    try {
      for (const id of [0, 'a', 2]) {
        const json = { jsonrpc: '2.0', id, method: 'tools/list' };
        const { status, body } = await call(service, '/mcp', { token: accessToken, json });
        assert.deepEqual([status, body.id, body.error.code], [507, id, -32000]);
      }
      const { body } = await call(service, '/mcp', {
        token: accessToken,
        body: 'no JSON',
        headers: { 'content-type': 'application/json' },
      });
      assert.deepEqual([body.id, body.error.code], [null, -32000]);
    } finally {
      db.capacity.set('ample');
    }
  });

  it('answers 503 with Retry-After for what the database cancelled, by an operator or after its time', async () => {
    const admin = new pg.Client(store.databaseUrl);
    await admin.connect();
    try {
      await admin.query('begin; lock table audit_entry in exclusive mode');
      const webhooks = `/v1/organizations/${service.organization.organizationId}/webhooks`;
      const answers = Promise.all([
        call(service, webhooks, {
          token: organizationToken,
          json: { url: 'https://receiver.example', eventTypes: ['consent.granted'] },
        }),
        callTool(service, { token: accessToken }, 'get_labs'),
      ]);
      let isAnswered = false;
      void answers.then(() => (isAnswered = true));
      await waitUntil('what waited was cancelled, and is answered', async () => {
        await store.db.query(sql`select pg_cancel_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        return isAnswered;
      });
      const [problem, rpc] = await answers;
      assert.deepEqual([problem.status, problem.body.code], [503, 'store_unavailable']);
      assert.deepEqual([rpc.status, rpc.body.error.code], [503, -32000]);
      for (const { headers } of [problem, rpc]) assert.equal(headers.get('retry-after'), '5');
    } finally {
      await admin.end();
    }
  });

  it('is used again as soon as it is back', async () => {
    await waitUntilServing(service);
    assert.equal((await callTool(service, { token: accessToken }, 'get_labs')).status, 200);
  });
});
