import assert from 'node:assert/strict';
import fs from 'node:fs';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { openDb } from '../../server/platform/db/open.ts';
import type { CreatedOrganization } from '../../server/identity/members/create-organization.ts';
import { isLong } from '../harness/long.ts';
import { findFreePort } from '../harness/postgres.ts';
import {
  newOrganization,
  newProject,
  newTestPatient,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { openTestStore, type Engine } from '../harness/store.ts';
import { createWebhookApi, type WebhookApi } from '../harness/webhooks.ts';
import { startFlakyReceiver, type FlakyReceiver } from './flaky-receiver.ts';
import { createServerNode, type ServerNode } from './server-node.ts';

/** Number of patients who decide concurrently. */
const PATIENT_COUNT = isLong ? 8 : 4;

/** Short delays, as many as by default. */
const RETRY_DELAYS = '1,1,1,1,1,1,1';

export interface TestWebhook {
  id: string;
  secret: string;
  path: string;
}

/** Webhooks of one organization, except `foreign`. All but `all` subscribe to consents too. */
export interface TestWebhooks {
  /** Every project, withdrawals only. */
  all: TestWebhook;
  /** The one project in which patients decide. */
  project: TestWebhook;
  paused: TestWebhook;
  /** Another project. */
  elsewhere: TestWebhook;
  /** Every project of another organization. */
  foreign: TestWebhook;
}

export interface DeliveringNodes {
  engine: Engine;
  nodes: readonly ServerNode[];
  receiver: FlakyReceiver;
  organization: CreatedOrganization;
  patients: readonly TestPatient[];
  hooks: TestWebhooks;
  /** Waits until every delivery is settled. */
  waitUntilSettled(): Promise<void>;
  /** Stops the nodes gracefully and queries the store. */
  inspectStore<T>(work: (db: Db) => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

/** Two server processes on PostgreSQL, one on the embedded store, with webhooks at a flaky receiver. */
export async function startDeliveringNodes(engine: Engine): Promise<DeliveringNodes> {
  const store = await openTestStore(engine);
  const partialService = { store, clock: systemClock } as unknown as TestService;
  const [organization, foreignOrganization] = [
    await newOrganization(partialService),
    await newOrganization(partialService),
  ];
  await store.db.close();
  const receiver = await startFlakyReceiver();
  const nodes = await createNodes(store, receiver, engine === 'embedded' ? 1 : 2);
  await Promise.all(nodes.map((node) => node.start()));
  const service = { baseUrl: nodes[0]?.baseUrl, organization } as unknown as TestService;
  const calls = await createWebhookApi(service);
  const hooks = await registerWebhooks(receiver, service, {
    own: calls,
    foreign: await createWebhookApi(service, foreignOrganization),
  });
  const patients: TestPatient[] = [];
  while (patients.length < PATIENT_COUNT) patients.push(await newTestPatient(service, { consent: false }));
  return {
    engine,
    nodes,
    receiver,
    organization,
    patients,
    hooks,
    waitUntilSettled: () => waitUntilSettled(calls),
    async inspectStore(work) {
      await Promise.all(nodes.map((node) => node.stop()));
      const db = await openDb({ ...store, onFatal: (error) => assert.fail(error) });
      return work(db).finally(() => db.close());
    },
    async remove() {
      await Promise.all(nodes.map((node) => node.kill()));
      await receiver.stop();
      fs.rmSync(store.dataDirectory, { recursive: true });
    },
  };
}

async function createNodes(
  { dataDirectory, databaseUrl }: { dataDirectory: string; databaseUrl: string | undefined },
  receiver: FlakyReceiver,
  count: number,
): Promise<ServerNode[]> {
  const ports = await Promise.all(Array.from({ length: count }, findFreePort));
  return ports.map((port) =>
    createServerNode(port, {
      // Tokens are valid for one address, so all nodes use that of the first.
      CHARTGATE_BASE_URL: `http://127.0.0.1:${ports[0]}`,
      CHARTGATE_DATA_DIR: dataDirectory,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      CHARTGATE_WEBHOOK_ALLOW_PRIVATE: '1',
      CHARTGATE_WEBHOOK_RETRY_DELAYS: RETRY_DELAYS,
      NODE_EXTRA_CA_CERTS: receiver.authorityFile,
    }),
  );
}

async function registerWebhooks(
  receiver: FlakyReceiver,
  service: TestService,
  calls: Record<'own' | 'foreign', WebhookApi>,
): Promise<TestWebhooks> {
  const eventTypes = ['consent.withdrawn', 'consent.granted'];
  const register = async (path: string, more: object, by = calls.own): Promise<TestWebhook> => {
    const { id, secret } = await by.createWebhook(receiver.localUrl(path), { eventTypes, ...more });
    return { id, secret, path };
  };
  const scopeTo = (projectId: string) => ({ projectScope: { type: 'projects', projectIds: [projectId] } });
  const paused = await register('/paused', {});
  assert.equal((await calls.own.post(`/${paused.id}/pause`)).status, 200);
  return {
    all: await register('/all', { eventTypes: ['consent.withdrawn'] }),
    project: await register('/project', scopeTo(service.organization.projectId)),
    paused,
    elsewhere: await register('/elsewhere', scopeTo(await newProject(service))),
    foreign: await register('/foreign', {}, calls.foreign),
  };
}

async function waitUntilSettled({ send: ask }: WebhookApi): Promise<void> {
  for (;;) {
    const { body } = await ask('');
    const open = body.results.map(
      ({ deliveries }: { deliveries: Record<'pending' | 'retrying', number> }) =>
        deliveries.pending + deliveries.retrying,
    );
    if (open.every((count: number) => count === 0)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
