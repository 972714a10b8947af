import assert from 'node:assert/strict';
import fs from 'node:fs';
import { systemClock } from '../../server/kernel/clock.ts';
import type { Db } from '../../server/storage/db.ts';
import { openStore } from '../../server/storage/open.ts';
import type { CreatedOrganization } from '../../server/organizations/create-organization.ts';
import { freePort } from '../harness/postgres.ts';
import {
  newOrganization,
  newProject,
  newTestPatient,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { testStore, type Engine } from '../harness/store.ts';
import { webhookCalls, type WebhookCalls } from '../harness/webhooks.ts';
import { moodyReceiver, type MoodyReceiver } from './moody-receiver.ts';
import { serverNode, type ServerNode } from './server-node.ts';

/** How many decide at once. */
const PATIENTS = 8;

/** Retries come soon, and as often as they ever do. */
const RETRY_DELAYS = '1,1,1,1,1,1,1';

export interface Hook {
  id: string;
  secret: string;
  path: string;
}

/** Of one organization but for `foreign`. All but `all` are told of consents too. */
export interface Hooks {
  /** Of every project, withdrawals only. */
  all: Hook;
  /** Of the one project that patients decide in. */
  project: Hook;
  paused: Hook;
  /** Of another project. */
  elsewhere: Hook;
  /** Of every project of another organization. */
  foreign: Hook;
}

export interface DeliveringNodes {
  engine: Engine;
  nodes: readonly ServerNode[];
  receiver: MoodyReceiver;
  organization: CreatedOrganization;
  patients: readonly TestPatient[];
  hooks: Hooks;
  /** Until nothing is left to be sent; throws after two minutes. */
  settled(): Promise<void>;
  /** Stops the nodes in good order, and asks the store. */
  look<T>(work: (db: Db) => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

/** Two server processes on PostgreSQL, one on the embedded store, with webhooks at a receiver of random moods. */
export async function deliveringNodes(engine: Engine): Promise<DeliveringNodes> {
  const store = await testStore(engine);
  const place = { store, clock: systemClock } as unknown as TestService;
  const [organization, foreigner] = [await newOrganization(place), await newOrganization(place)];
  await store.db.close();
  const receiver = await moodyReceiver();
  const nodes = await nodesOn(store, receiver, engine === 'embedded' ? 1 : 2);
  await Promise.all(nodes.map((node) => node.start()));
  const service = { baseUrl: nodes[0]?.baseUrl, organization } as unknown as TestService;
  const calls = await webhookCalls(service);
  const hooks = await registered(receiver, service, {
    own: calls,
    foreign: await webhookCalls(service, foreigner),
  });
  const patients: TestPatient[] = [];
  while (patients.length < PATIENTS) patients.push(await newTestPatient(service, { consent: false }));
  return {
    engine,
    nodes,
    receiver,
    organization,
    patients,
    hooks,
    settled: () => settled(calls),
    async look(work) {
      await Promise.all(nodes.map((node) => node.stop()));
      const db = await openStore({ ...store, onFatal: (error) => assert.fail(error) });
      return work(db).finally(() => db.close());
    },
    async remove() {
      await Promise.all(nodes.map((node) => node.kill()));
      await receiver.stop();
      fs.rmSync(store.dataDirectory, { recursive: true });
    },
  };
}

async function nodesOn(
  { dataDirectory, databaseUrl }: { dataDirectory: string; databaseUrl: string | undefined },
  receiver: MoodyReceiver,
  count: number,
): Promise<ServerNode[]> {
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  return ports.map((port) =>
    serverNode(port, {
      // Tokens are good for one address, so all nodes go by that of the first.
      CHARTGATE_BASE_URL: `http://127.0.0.1:${ports[0]}`,
      CHARTGATE_DATA_DIR: dataDirectory,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      CHARTGATE_WEBHOOK_ALLOW_PRIVATE: '1',
      CHARTGATE_WEBHOOK_RETRY_DELAYS: RETRY_DELAYS,
      NODE_EXTRA_CA_CERTS: receiver.authorityFile,
    }),
  );
}

async function registered(
  receiver: MoodyReceiver,
  service: TestService,
  calls: Record<'own' | 'foreign', WebhookCalls>,
): Promise<Hooks> {
  const eventTypes = ['consent.withdrawn', 'consent.granted'];
  const hook = async (path: string, more: object, by = calls.own): Promise<Hook> => {
    const { id, secret } = await by.register(receiver.localUrl(path), { eventTypes, ...more });
    return { id, secret, path };
  };
  const only = (projectId: string) => ({ projectScope: { type: 'projects', projectIds: [projectId] } });
  const paused = await hook('/paused', {});
  assert.equal((await calls.own.post(`/${paused.id}/pause`)).status, 200);
  return {
    all: await hook('/all', { eventTypes: ['consent.withdrawn'] }),
    project: await hook('/project', only(service.organization.projectId)),
    paused,
    elsewhere: await hook('/elsewhere', only(await newProject(service))),
    foreign: await hook('/foreign', {}, calls.foreign),
  };
}

async function settled({ ask }: WebhookCalls): Promise<void> {
  const until = Date.now() + 120_000;
  for (;;) {
    const { body } = await ask('');
    const open = body.results.map(
      ({ deliveries }: { deliveries: Record<'pending' | 'retrying', number> }) =>
        deliveries.pending + deliveries.retrying,
    );
    if (open.every((count: number) => count === 0)) return;
    assert.ok(Date.now() < until, `after two minutes ${open.join(' + ')} deliveries are open`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
