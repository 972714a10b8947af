import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDb } from '../../server/platform/db/open.ts';
import { openPostgres } from '../../server/platform/db/postgres.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive } from '../harness/archive.ts';
import { exchangeCode, newFlow, obtainCode, type Flow } from '../harness/authorization.ts';
import { isLong } from '../harness/long.ts';
import { findPostgres } from '../harness/postgres.ts';
import { startReplicatedPostgres, type ReplicatedPostgres } from '../harness/replicated-postgres.ts';
import {
  call,
  decide,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  waitForBatch,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.ts';

const ROUNDS = isLong ? 20 : 2;

/** Done before the primary is killed, and again after another has taken its place. */
const OPERATIONS = 3;

/** Archives of one patient; fifty a day are taken. */
const MAX_UPLOADS = 40;

/** What the service acknowledged; each has to be there at the end. */
interface Acknowledged {
  decisions: string[];
  /** Those of the decisions whose event names them. */
  grants: string[];
  uploads: { patient: TestPatient; batchId: string }[];
  codes: Record<string, unknown>[];
  /** Status codes of what was not acknowledged. */
  refused: number[];
}

describe(
  'a database whose primary is killed',
  { skip: findPostgres() === null && 'needs the binaries of PostgreSQL' },
  () => {
    let cluster: ReplicatedPostgres;
    let receiver: WebhookReceiver;
    let service: TestService;
    let flow: Flow;
    let patient: TestPatient;
    before(async () => {
      cluster = await startReplicatedPostgres();
      receiver = await startWebhookReceiver();
      const dataDirectory = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-failover-'));
      const db = await openDb({
        databaseUrl: cluster.url,
        dataDirectory,
        reserve: { bytes: 0 },
        onFatal: assert.fail,
      });
      const remove = async (): Promise<void> => {
        await db.close();
        fs.rmSync(dataDirectory, { recursive: true, force: true });
      };
      service = await startTestService({
        store: { db, dataDirectory, databaseUrl: cluster.url, remove },
        webhookOutbound: receiver.outboundClient,
        // As many codes as the machine is fast; and what is away is away, and each node says so in its log.
        environment: {
          CHARTGATE_OAUTH_RATE_LIMIT: '100000',
          CHARTGATE_MCP_RATE_LIMIT: '100000',
          CHARTGATE_LOG_LEVEL: 'silent',
        },
      });
      patient = await newTestPatient(service);
      flow = await newFlow(service);
      const { status } = await call(
        service,
        `/v1/organizations/${service.organization.organizationId}/webhooks`,
        {
          token: await getOrganizationToken(service),
          json: { url: receiver.url(), eventTypes: ['consent.granted', 'consent.withdrawn'] },
        },
      );
      assert.equal(status, 201);
    });
    after(async () => {
      await service.stop();
      await receiver.stop();
      await cluster.stop();
    });

    /**
     * Goes on until it is ended, without taking all of the machine while others wait; a call that throws was answered with
     * something else than expected, which is no acknowledgement.
     */
    function startLoop(step: () => Promise<void>): { count(): number; end(): Promise<void> } {
      const end = new AbortController();
      let count = 0;
      const run = async (): Promise<void> => {
        while (!end.signal.aborted) {
          await step().then(
            () => void count++,
            () => {},
          );
          await sleep(20);
        }
      };
      const running = run();
      return { count: () => count, end: () => (end.abort(), running) };
    }

    function startLoops(acknowledged: Acknowledged) {
      const keep = (status: number): void => {
        if (status >= 300) acknowledged.refused.push(status);
        assert.ok(status < 300);
      };
      let isSharing = false;
      let sender = patient;
      return [
        startLoop(async () => {
          const { status, body } = await decide(service, patient, isSharing ? 'OPTED_IN' : 'OPTED_OUT');
          keep(status);
          acknowledged.decisions.push(body.consentRecordId as string);
          if (isSharing) acknowledged.grants.push(body.consentRecordId as string);
          isSharing = !isSharing;
        }),
        startLoop(async () => {
          if (acknowledged.uploads.length % MAX_UPLOADS === MAX_UPLOADS - 1)
            sender = await newTestPatient(service);
          const form = new FormData();
          const resource = {
            resourceType: 'Condition',
            id: `c${acknowledged.uploads.length}`,
            code: { text: 'Asthma' },
          };
          form.append(
            'file',
            new Blob([new Uint8Array(await createArchive({ 'c.json': resource }))]),
            'c.zip',
          );
          const { status, body } = await call(service, `/v1/patients/${sender.id}/upload-documents`, {
            token: sender.token,
            body: form,
          });
          // Uploads that wait are counted: the next one is sent when this one is read.
          keep(status);
          const upload = { patient: sender, batchId: body.batchId as string };
          acknowledged.uploads.push(upload);
          await waitForBatch(service, sender, upload.batchId);
        }),
        startLoop(async () => {
          const { status, body } = await exchangeCode(service, flow, await obtainCode(flow));
          keep(status);
          acknowledged.codes.push(body as Record<string, unknown>);
        }),
      ];
    }

    async function waitForMore(loops: ReturnType<typeof startLoops>): Promise<void> {
      const wanted = loops.map((loop) => loop.count() + OPERATIONS);
      while (loops.some((loop, index) => loop.count() < (wanted[index] as number))) await sleep(20);
    }

    it(`${ROUNDS} times loses nothing that was acknowledged, and the node goes on with the other server by itself`, async (t) => {
      const acknowledged: Acknowledged = { decisions: [], grants: [], uploads: [], codes: [], refused: [] };
      const loops = startLoops(acknowledged);
      const waits: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        await waitForMore(loops);
        await cluster.failOver();
        const promotedAt = performance.now();
        while ((await call(service, '/readyz')).status !== 200) await sleep(10);
        waits.push(performance.now() - promotedAt);
        await cluster.replaceStandby();
        await waitForMore(loops);
      }
      await Promise.all(loops.map((loop) => loop.end()));
      t.diagnostic(
        `ready after a promotion: ${waits.map((ms) => `${Math.round(ms)} ms`).join(', ')}; acknowledged: ${acknowledged.decisions.length} decisions, ${acknowledged.uploads.length} uploads, ${acknowledged.codes.length} codes; refused: ${acknowledged.refused.length}`,
      );

      assert.deepEqual(
        acknowledged.refused.filter((status) => status !== 503),
        [],
        'what is not acknowledged says that it may be tried again',
      );
      const { db } = service.store;
      const records = await db.query(
        sql<{
          consent_record_id: string;
        }>`select consent_record_id from consent_record where consent_record_id = any(${acknowledged.decisions}::uuid[])`,
      );
      assert.equal(records.length, acknowledged.decisions.length);
      for (const { patient: sender, batchId } of acknowledged.uploads)
        assert.equal((await waitForBatch(service, sender, batchId)).status, 'completed');
      for (const { access_token: token } of acknowledged.codes) {
        const { status } = await call(service, '/mcp', {
          token: token as string,
          json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        });
        assert.equal(status, 200);
      }
      const isDelivered = (id: string): boolean =>
        receiver.received.some(({ json }) => json.data.consentRecordId === id);
      await receiver.waitForRequests(() => acknowledged.grants.every(isDelivered), 60_000);
    });

    it('is found whichever of its hosts takes writes, and refused where none does', async () => {
      const reversed = cluster.url.replace(/@([^,]+),([^/]+)/, '@$2,$1');
      const away = openPostgres('postgresql://chartgate@127.0.0.1:9,127.0.0.1:10/postgres');
      const found = openPostgres(reversed);
      try {
        assert.deepEqual(
          await found.query(sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`),
          [{ standby: false }],
        );
        await assert.rejects(away.query(sql`select 1`), { name: 'StoreError', outcome: 'unchanged' });
      } finally {
        await Promise.all([found.close(), away.close()]);
      }
    });
  },
);
