import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { createService } from '../../server/app.ts';
import type { Db, Queryable } from '../../server/platform/db/db.ts';
import { openPostgres } from '../../server/platform/db/postgres.ts';
import { asLookUp, sql } from '../../server/platform/db/sql.ts';
import { call, startTestService, waitUntilServing, type TestService } from '../harness/service.ts';
import { findFreePort } from '../harness/postgres.ts';
import { startSilentProxy, type SilentProxy } from '../harness/silent-proxy.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';

const ping = async (on: Queryable): Promise<void> => void (await on.query(sql`select 1`));

const lookUp = async (on: Queryable): Promise<void> => void (await on.query(asLookUp(sql`select 1`)));

const SIZE = { pipelines: 2, separatesLookUps: true, transactions: 2 };
const LIMITS = { checkMs: 20, silenceMs: 100, probeMs: 1_000, deadlineMs: 600_000, closeMs: 200 };
/** For a database that does answer, on a machine that may be busy with other things. */
const PATIENT_LIMITS = { ...LIMITS, probeMs: 600_000 };
const UNAVAILABLE = { name: 'StoreError', outcome: 'unchanged' };

describe('case 191: a database that does not answer', () => {
  let store: TestStore;
  let proxy: SilentProxy;
  let db: Db;
  before(async () => void (store = await openTestStore()));
  after(() => store.remove());
  beforeEach(async () => {
    proxy = await startSilentProxy(store.databaseUrl as string);
    db = openPostgres(proxy.url, { size: SIZE, watchLimits: LIMITS });
    await Promise.all([ping(db), ping(db), lookUp(db), db.tx(ping), db.tx(ping)]);
  });
  afterEach(async () => {
    await db.close();
    await proxy.close();
  });

  it('ends statements and transactions under way with 503, and drops their connections', async () => {
    const inside = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const transaction = db.tx(async (tx) => {
      inside.resolve();
      await goOn.promise;
      await ping(tx);
    });
    await inside.promise;
    proxy.fallSilent();
    goOn.resolve();
    const copied = db.queryRowBytes(sql`select 'a text'`);
    const all = [transaction, copied, ping(db), ping(db), ping(db), lookUp(db), lookUp(db)];
    await Promise.all(all.map((pending) => assert.rejects(pending, UNAVAILABLE)));
    while (proxy.openConnections() > 0) await sleep(5);
  });

  it('refuses what comes later at once, until the database answers again', async () => {
    proxy.fallSilent();
    await assert.rejects(ping(db), UNAVAILABLE);
    const connections = proxy.openConnections();
    await assert.rejects(ping(db), UNAVAILABLE);
    await assert.rejects(db.tx(ping), UNAVAILABLE);
    assert.ok(proxy.openConnections() <= connections + 1, 'but for a probe, no connection was opened');
    proxy.resume();
    while (await ping(db).catch(() => 'away')) await sleep(5);
    await db.tx(ping);
  });

  it('leaves a slow statement alone while the database answers others', async () => {
    const patient = openPostgres(proxy.url, { size: SIZE, watchLimits: PATIENT_LIMITS });
    await patient.query(sql`select pg_sleep(0.6)`);
    await ping(patient);
    await patient.close();
  });

  it('ends the wait on one connection that is lost without a word, although the database lives', async () => {
    const impatient = openPostgres(proxy.url, {
      size: { pipelines: 1, transactions: 1 },
      watchLimits: { ...PATIENT_LIMITS, deadlineMs: 400 },
    });
    await assert.rejects(impatient.query(sql`select pg_sleep(5)`), UNAVAILABLE);
    await ping(impatient);
    await impatient.close();
  });

  it('does not keep the store from being closed', async () => {
    const other = openPostgres(proxy.url, { size: SIZE, watchLimits: { ...LIMITS, probeMs: 600_000 } });
    await Promise.all([ping(other), ping(other), other.tx(ping), other.tx(ping)]);
    proxy.fallSilent();
    const all = [ping(other), ping(other), other.tx(ping)];
    const pending = Promise.all(all.map((each) => assert.rejects(each, UNAVAILABLE)));
    await setImmediate();
    await other.close();
    await pending;
  });
});

describe('case 191: one of two servers that hangs, and another that takes its place', () => {
  it('is not waited for by what was connected to it, nor written to when it comes back', async () => {
    const store = await openTestStore();
    const [first, second] = [
      await startSilentProxy(store.databaseUrl as string),
      await startSilentProxy(store.databaseUrl as string),
    ];
    const { host } = new URL(second.url);
    second.fallSilent();
    const db = openPostgres(first.url.replace(/@([^/]+)/, `@$1,${host}`), {
      size: SIZE,
      watchLimits: LIMITS,
    });
    const all = (): Promise<unknown>[] => [
      ...Array.from({ length: SIZE.pipelines }, () => ping(db)),
      ...Array.from({ length: SIZE.transactions }, () => db.tx(ping)),
      lookUp(db),
    ];
    await Promise.all(all());
    first.fallSilent();
    second.resume();
    // One statement finds out, while the other connections rest.
    await assert.rejects(lookUp(db), UNAVAILABLE);
    while (await lookUp(db).catch(() => 'away')) await sleep(5);
    await Promise.all(all());
    first.resume();
    while (first.openConnections() > 0) await sleep(5);
    await Promise.all(all());
    assert.equal(first.openConnections(), 0);
    await db.close();
    await Promise.all([first.close(), second.close()]);
    await store.remove();
  });
});

describe('case 191: a service whose database does not answer', () => {
  let service: TestService;
  let proxy: SilentProxy;
  before(async () => {
    service = await startTestService();
    proxy = await startSilentProxy(service.store.databaseUrl as string);
  });
  after(async () => {
    await service.stop();
    await proxy.close();
  });

  it('says at /readyz that it is not ready, before the wait for the database ends, and at /healthz that it lives', async () => {
    const db = openPostgres(proxy.url, { size: SIZE, watchLimits: { ...LIMITS, silenceMs: 600_000 } });
    const port = await findFreePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const http = { ...service.config.http, port, baseUrl, allowedHosts: [`127.0.0.1:${port}`] };
    const node = createService({ config: { ...service.config, http }, db, clock: service.clock });
    await node.app.listen({ port, host: '127.0.0.1' });
    await waitUntilServing({ baseUrl });
    proxy.fallSilent();
    assert.equal((await call({ baseUrl }, '/readyz')).status, 503);
    assert.equal((await call({ baseUrl }, '/healthz')).status, 200);
    proxy.resume();
    await proxy.close();
    await node.app.close();
    await node.worker.stop();
    await db.close();
  });

  it('answers calls with 503 and Retry-After', async () => {
    proxy = await startSilentProxy(service.store.databaseUrl as string);
    const db = openPostgres(proxy.url, { size: SIZE, watchLimits: LIMITS });
    const port = await findFreePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const http = { ...service.config.http, port, baseUrl, allowedHosts: [`127.0.0.1:${port}`] };
    const node = createService({ config: { ...service.config, http }, db, clock: service.clock });
    await node.app.listen({ port, host: '127.0.0.1' });
    proxy.fallSilent();
    const answer = await call({ baseUrl }, '/v1/auth/token', { json: service.organization.admin });
    assert.deepEqual([answer.status, answer.body.code], [503, 'store_unavailable']);
    assert.equal(answer.headers.get('retry-after'), '5');
    await node.app.close();
    await node.worker.stop();
    await db.close();
  });
});
