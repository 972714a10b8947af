import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import { one } from '../../server/platform/db/db.ts';
import { readMigrations } from '../../server/platform/db/migrate.ts';
import { raw, sql } from '../../server/platform/db/sql.ts';
import { endBlockedConnections } from '../../server/surfaces/oauth/apps/end-connections.ts';
import {
  buildAuthorizePath,
  callMcp,
  createPkce,
  decideRequest,
  exchangeCode,
  getRedirectParameters,
  getRequestId,
  newFlow,
  refresh,
  registerClient,
  waitUntilReady,
  type Flow,
} from '../harness/authorization.ts';
import { newAccount } from '../harness/account.ts';
import { newMember, signInAs } from '../harness/member.ts';
import {
  call,
  decide,
  getOrganizationToken,
  newOrganization,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { createTestBrowser } from '../harness/test-browser.ts';
import { getStatusAndError, getToolStatus, INVALID_GRANT, UNLIMITED } from './attack.ts';

const DOCUMENT = 'https://documented.example/client.json';
const DAY_MS = 24 * 3600 * 1000;

/** What the document says now; a client may change it at any time. */
let document = { client_name: 'Documented agent', redirect_uris: ['https://documented.example/callback'] };

let service: TestService;
before(async () => {
  service = await startTestService({
    engine: 'postgresql',
    environment: UNLIMITED,
    outbound: {
      request: async ({ url }) => ({
        status: 200,
        headers: { 'content-type': 'application/json', 'cache-control': 'max-age=30' },
        body: Buffer.from(JSON.stringify({ ...document, client_id: url })),
      }),
    },
  });
});
after(() => service.stop());

interface App {
  flow: Flow;
  clientId: string;
  redirectUri: string;
}

let hostCount = 0;
const newHost = (): string => `app${++hostCount}.example`;

/** A person with an app that was never seen before. */
async function newApp(name = 'Pill helper', redirectUri = `https://${newHost()}/callback`): Promise<App> {
  const flow = await newFlow(service, { client_name: name, redirect_uris: [redirectUri] });
  return { flow, clientId: flow.client.client_id as string, redirectUri };
}

/** Begins a request, and opens the page of it, which lists the app. */
async function begin(
  { flow, clientId, redirectUri }: App,
  more: Record<string, string> = {},
): Promise<HttpResponse> {
  const begun = await flow.browser.get(
    buildAuthorizePath({ clientId, challenge: flow.pkce.challenge }, { redirect_uri: redirectUri, ...more }),
  );
  if (begun.headers.get('location')?.includes('oauth_state='))
    await flow.browser.get(`/oauth/interaction/${getRequestId(begun)}`);
  return begun;
}

async function decideYes(app: App): Promise<string> {
  const requestId = getRequestId(await begin(app));
  const decided = await decideRequest(app.flow.browser, requestId, 'grant');
  assert.equal(decided.status, 200, JSON.stringify(decided.body));
  await waitUntilReady(app.flow.browser, requestId);
  return requestId;
}

const complete = async ({ flow }: App, requestId: string): Promise<Record<string, string>> =>
  getRedirectParameters(await flow.browser.get(`/oauth/complete/${requestId}`));

const exchange = ({ flow, clientId, redirectUri }: App, code: string): Promise<HttpResponse> =>
  exchangeCode(service, flow, code, { client_id: clientId, redirect_uri: redirectUri });

async function connect(app: App): Promise<{ access: string; refresh: string }> {
  const { status, body } = await exchange(app, (await complete(app, await decideYes(app)))['code'] as string);
  assert.equal(status, 200, JSON.stringify(body));
  return { access: body.access_token as string, refresh: body.refresh_token as string };
}

const clientsPath = (id = '', { organizationId } = service.organization): string =>
  `/v1/organizations/${organizationId}/clients${id}`;

const listApps = async (query: string): Promise<HttpResponse['body'][]> =>
  (await call(service, clientsPath(`?${query}`), { token: await getOrganizationToken(service) })).body
    .results;

/** The app as the organization sees it. */
async function findApp({ redirectUri, flow }: App): Promise<HttpResponse['body']> {
  const q = /^https:\/\/([^/]+)/.exec(redirectUri)?.[1] ?? (flow.client.client_name as string);
  const [app] = await listApps(`q=${encodeURIComponent(q)}`);
  return app;
}

const judge = async (app: App, judging: object): Promise<HttpResponse> =>
  judgeApp((await findApp(app)).id as string, judging);

async function judgeApp(id: string, judging: object): Promise<HttpResponse> {
  return call(service, clientsPath(`/${id}`), {
    method: 'PATCH',
    token: await getOrganizationToken(service),
    json: { note: 'As the board decided', ...judging },
  });
}

async function block(app: App, more: object = {}): Promise<HttpResponse['body']> {
  const { status, body } = await judge(app, { judgement: 'blocked', ...more });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** An app that is not let in: no redirect, so no code and no error for whoever runs it. */
async function assertNotLetIn(app: App): Promise<void> {
  for (const more of [
    {},
    { scope: 'unknown' },
    { response_type: 'token' },
    { resource: 'https://elsewhere.example' },
  ]) {
    const refused = await begin(app, more);
    assert.deepEqual(getStatusAndError(refused), [403, 'access_denied']);
    assert.equal(refused.headers.get('location'), null);
  }
}

const getClient = async (app: App): Promise<HttpResponse['body']> =>
  (await app.flow.browser.get(`/oauth/interaction/${getRequestId(await begin(app))}`)).body.client;

/** The same person with a client that registers anew. */
const registerAnew = async ({ flow }: App, name: string, redirectUri: string): Promise<App> => {
  const client = await registerClient(service, { client_name: name, redirect_uris: [redirectUri] });
  return { flow: { ...flow, client }, clientId: client.client_id as string, redirectUri };
};

describe('vouching for apps and blocking them', () => {
  it('case 260: a judgement of another organization, and one of somebody who may not judge', async () => {
    const app = await newApp();
    const tokens = await connect(app);
    const other = await newOrganization(service);
    const foreign = await getOrganizationToken(service, 'admin', other);
    const { id } = await findApp(app);
    const json = { judgement: 'blocked', note: 'Not ours' };
    const patch = (path: string, token: string) => call(service, path, { method: 'PATCH', token, json });
    assert.equal((await patch(clientsPath(`/${id}`), foreign)).status, 403);
    assert.equal((await patch(clientsPath(`/${id}`, other), foreign)).status, 404, 'not seen there yet');
    // The same app asks a patient of the other organization, which blocks it.
    const resource = `${service.baseUrl}/projects/${other.projectId}/mcp`;
    const browser = createTestBrowser(service);
    await newAccount(service, browser);
    assert.equal((await begin(app, { resource })).status, 303, 'a test patient, who is of one organization');
    assert.equal((await patch(clientsPath(`/${id}`, other), foreign)).status, 404, 'not asked by it');
    assert.equal((await begin({ ...app, flow: { ...app.flow, browser } }, { resource })).status, 303);
    assert.deepEqual((await patch(clientsPath(`/${id}`, other), foreign)).body.ends, {
      connections: 0,
      patients: 0,
    });
    assert.deepEqual(getStatusAndError(await begin(app, { resource })), [403, 'access_denied']);
    assert.equal(await getToolStatus(service, tokens.access), 200);
    assert.equal((await getClient(app)).letIn, true);
    assert.equal((await findApp(app)).judgement, 'new');

    const researcher = await getOrganizationToken(service, 'researcher');
    assert.equal((await patch(clientsPath(`/${id}`), researcher)).status, 403);
    const [auditor, owner] = await Promise.all([
      newMember(service, 'auditor').then((member) => signInAs(service, member)),
      newMember(service, 'owner').then((member) => signInAs(service, member)),
    ]);
    assert.equal((await auditor.get(clientsPath())).status, 200);
    assert.equal((await auditor.send('PATCH', clientsPath(`/${id}`), json)).status, 403);
    service.clock.advance(6 * 60_000);
    const unconfirmed = await owner.send('PATCH', clientsPath(`/${id}`), json);
    assert.deepEqual([unconfirmed.status, unconfirmed.body.code], [403, 'confirmation_required']);
    for (const bad of [{ judgement: 'blocked' }, { ...json, until: '2020-01-01T00:00:00Z' }])
      assert.equal(
        (
          await call(service, clientsPath(`/${id}`), {
            method: 'PATCH',
            token: await getOrganizationToken(service),
            json: bad,
          })
        ).status,
        400,
      );
    assert.equal((await findApp(app)).judgement, 'new');
  });

  it('case 261: a request that was open when the app was blocked', async () => {
    const app = await newApp();
    const requestId = getRequestId(await begin(app));
    await block(app);
    const shown = (await app.flow.browser.get(`/oauth/interaction/${requestId}`)).body;
    assert.deepEqual([shown.status, shown.client.letIn], ['pending', false]);
    const decided = await decideRequest(app.flow.browser, requestId, 'grant');
    assert.deepEqual([decided.status, decided.body.code], [403, 'client_blocked']);
    assert.equal((await app.flow.browser.get('/account/consents')).body.consents.length, 0);
    assert.equal((await decideRequest(app.flow.browser, requestId, 'deny')).status, 200);
    assert.equal((await complete(app, requestId))['error'], 'access_denied');
    await assertNotLetIn(app);
    const page = await app.flow.browser.get(
      buildAuthorizePath(
        { clientId: app.clientId, challenge: app.flow.pkce.challenge },
        { redirect_uri: app.redirectUri },
      ),
      { accept: 'text/html' },
    );
    assert.match(String(page.body), /does not let this app in\. Nothing was shared/);
  });

  it('case 262: between the decision and the code, and between the code and its exchange', async () => {
    const [early, late] = await Promise.all([newApp(), newApp()]);
    const requestId = await decideYes(early);
    await block(early);
    const led = await complete(early, requestId);
    assert.deepEqual([led['error'], led['code']], ['access_denied', undefined]);
    const { code } = await complete(late, await decideYes(late));
    await block(late);
    assert.deepEqual(getStatusAndError(await exchange(late, code as string)), INVALID_GRANT);
  });

  it('case 263: between a refresh and its use; the log of each patient names who did it', async () => {
    const app = await newApp();
    const second: App = { ...app, flow: { ...(await newFlow(service)), client: app.flow.client } };
    const [first] = [await connect(app), await connect(second)];
    const { body } = await refresh(service, app.clientId, first.refresh);
    const dryRun = await block(app, { dryRun: true });
    assert.deepEqual([dryRun.dryRun, dryRun.ends], [true, { connections: 2, patients: 2 }]);
    assert.equal(dryRun.client.judgement, 'new');
    assert.equal(await getToolStatus(service, body.access_token), 200, 'nothing has changed');
    const used = await findApp(app);
    assert.deepEqual([used.reads, used.patients], [1, 2]);
    assert.ok(Date.parse(used.lastReadAt as string) >= Date.parse(used.firstSeenAt as string));
    const blocked = await block(app);
    assert.deepEqual(blocked.ends, dryRun.ends);
    assert.deepEqual([blocked.client.judgement, blocked.client.patients], ['blocked', 0]);
    assert.equal(await getToolStatus(service, body.access_token), 401);
    assert.deepEqual(
      getStatusAndError(await refresh(service, app.clientId, body.refresh_token as string)),
      INVALID_GRANT,
    );
    for (const { browser } of [app.flow, second.flow]) {
      const entries = (await browser.get('/account/access-log')).body.results as HttpResponse['body'][];
      const [revoked] = entries.filter(({ action }) => action === 'oauth.grant_revoked');
      assert.deepEqual([revoked.client.id, revoked.actor.kind], [app.clientId, 'admin']);
    }
    const detail = (
      await call(service, clientsPath(`/${blocked.client.id}`), {
        token: await getOrganizationToken(service),
      })
    ).body;
    assert.deepEqual(
      [detail.connections.active, detail.connections.endedByOrganization, detail.registrations.total],
      [0, 2, 1],
    );
  });

  it('case 264: a block at once with decisions, exchanges, refreshes and calls: nothing of the app reads on', async () => {
    for (let round = 0; round < 4; round++) {
      const app = await newApp();
      const others = await Promise.all(
        Array.from({ length: 4 }, async (): Promise<App> => {
          const flow = await newFlow(service);
          return { ...app, flow: { ...flow, client: app.flow.client, pkce: createPkce() } };
        }),
      );
      const tokens = await connect(app);
      const [exchanging, refreshing, ...deciding] = others as [App, App, ...App[]];
      const { code } = await complete(exchanging, await decideYes(exchanging));
      const refreshed = await connect(refreshing);
      const pending = await Promise.all(deciding.map(async (each) => getRequestId(await begin(each))));
      const isOver = { now: false };
      const calls = (async () => {
        const statuses: number[] = [];
        while (!isOver.now) statuses.push((await callMcp(service, tokens.access, 'tools/call')).status);
        return statuses;
      })();
      const [, , ...decided] = await Promise.all([
        exchange(exchanging, code as string),
        refresh(service, app.clientId, refreshed.refresh),
        ...deciding.map(({ flow }, index) => decideRequest(flow.browser, pending[index] as string, 'grant')),
        block(app),
      ]);
      assert.equal(await getToolStatus(service, tokens.access), 401);
      isOver.now = true;
      const firstRefused = (await calls).findIndex((status) => status !== 200);
      assert.ok(
        (await calls).slice(firstRefused === -1 ? Infinity : firstRefused).every((status) => status !== 200),
        'once refused, always refused',
      );
      for (const { status, body } of decided.slice(0, -1) as HttpResponse[])
        if (status !== 200) assert.equal(body.code, 'client_blocked');
      const { live } = await one(
        service.store.db,
        sql<{ live: number }>`select count(*)::integer as live from oauth_grant
          where client_id = ${app.clientId} and revoked_at is null`,
      );
      assert.equal(live, 0);
      for (const [index, { flow }] of deciding.entries()) {
        const led = getRedirectParameters(await flow.browser.get(`/oauth/complete/${pending[index]}`));
        assert.equal(led['code'], undefined);
      }
    }
  });

  it('case 265: an app that registers again, under another name, by a document, in another spelling', async () => {
    const host = newHost();
    const redirectUri = `https://${host}/callback`;
    const app = await newApp('Pill helper', redirectUri);
    await connect(app);
    const { alsoCaught, client } = await block(app);
    assert.deepEqual([alsoCaught, client.blocks], [[], `host:${host}`]);
    await assertNotLetIn(await registerAnew(app, 'Pill helper', redirectUri));
    await assertNotLetIn(await registerAnew(app, 'Trusted name', `https://${host}:8443/other`));
    const documentUrl = `https://${host}/client.json`;
    document = { client_name: 'Documented', redirect_uris: ['https://elsewhere.example/callback'] };
    await assertNotLetIn({
      ...app,
      clientId: documentUrl,
      redirectUri: 'https://elsewhere.example/callback',
    });
    document = { client_name: 'Elsewhere', redirect_uris: [redirectUri] };
    await assertNotLetIn({ ...app, clientId: 'https://elsewhere.example/client.json', redirectUri });

    const onDevice = await newApp('Shady  Agent', 'http://127.0.0.1/callback');
    assert.equal((await begin(onDevice)).status, 303);
    assert.match((await block(onDevice)).client.blocks as string, /^device:/);
    await assertNotLetIn(await registerAnew(onDevice, 'Sh\u0430dy-Agent', 'http://localhost:5555/cb'));
    await assertNotLetIn(await registerAnew(onDevice, 'SHADY AGENT', 'com.shady.agent:/cb'));
    await assertNotLetIn(await registerAnew(onDevice, 'Shady Agent™', 'http://127.0.0.1/callback'));
    const renamed = await registerAnew(onDevice, 'Friendly companion', 'http://127.0.0.1/callback');
    assert.equal((await begin(renamed)).status, 303, 'a program on a device proves nothing but its name');
    const onWeb = await registerAnew(onDevice, 'Shady Agent', `https://${newHost()}/callback`);
    assert.equal((await begin(onWeb)).status, 303, 'a host is not blocked for a name');
  });

  it('case 266: a judgement whose time is over', async () => {
    const app = await newApp();
    const tokens = await connect(app);
    const until = new Date(service.clock.now().getTime() + DAY_MS).toISOString();
    await block(app, { until });
    await assertNotLetIn(app);
    service.clock.advance(DAY_MS + 1000);
    assert.equal((await findApp(app)).judgement, 'new');
    const again: App = { ...app, flow: await signInAgain(app.flow) };
    assert.equal((await getClient(again)).letIn, true);
    assert.deepEqual(getStatusAndError(await refresh(service, app.clientId, tokens.refresh)), INVALID_GRANT);
    const vouchedUntil = new Date(service.clock.now().getTime() + DAY_MS).toISOString();
    assert.equal((await judge(again, { judgement: 'vouched', until: vouchedUntil })).status, 200);
    assert.notEqual((await getClient(again)).knownBy, null);
    service.clock.advance(DAY_MS + 1000);
    const later: App = { ...app, flow: await signInAgain(app.flow) };
    assert.equal((await getClient(later)).knownBy, null);
  });

  it('case 267: a vouch for another name, another host, a program on a device', async () => {
    document = { client_name: 'Documented agent', redirect_uris: ['https://documented.example/callback'] };
    const app: App = {
      flow: await newFlow(service),
      clientId: DOCUMENT,
      redirectUri: 'https://documented.example/callback',
    };
    assert.equal((await getClient(app)).knownBy, null);
    assert.equal((await judge(app, { judgement: 'vouched' })).status, 200);
    assert.match((await getClient(app)).knownBy as string, /^Clinic/);
    document = { ...document, client_name: 'Clinic insurance desk' };
    service.clock.advance(60_000);
    assert.deepEqual(
      [(await getClient(app)).name, (await getClient(app)).knownBy],
      ['Clinic insurance desk', null],
    );
    const registered = await registerAnew(app, 'Documented agent', 'https://documented.example/callback');
    assert.equal((await getClient(registered)).knownBy, null, 'a registration is not the document');
    const onDevice = await newApp('Desk tool', 'http://127.0.0.1/callback');
    await begin(onDevice);
    const refused = await judge(onDevice, { judgement: 'vouched' });
    assert.deepEqual([refused.status, refused.body.code], [409, 'cannot_vouch']);
    // The block of a host ends its vouches, and a vouch does not lift a block.
    await block(app);
    const [vouchable] = await listApps('q=Documented%20agent&judgement=vouched,blocked');
    assert.ok(vouchable, 'every app of the host is blocked');
    const again = await judge(app, { judgement: 'vouched' });
    assert.deepEqual([again.status, again.body.code], [409, 'client_blocked']);
    assert.equal((await judge(app, { judgement: 'new', note: undefined })).body.client.judgement, 'new');
    document = { ...document, client_name: 'Documented agent' };
    service.clock.advance(60_000);
    assert.deepEqual(
      [(await getClient(app)).letIn, (await getClient(app)).knownBy],
      [true, null],
      'a block that is taken back brings no vouch back',
    );
  });

  it('case 268: an app that nobody vouches for, in a project or an organization that lets in only known ones', async () => {
    const [app, known] = await Promise.all([newApp(), newApp()]);
    const tokens = await connect(app);
    const open = getRequestId(await begin(app));
    await begin(known);
    assert.equal((await judge(known, { judgement: 'vouched' })).status, 200);
    const { organizationId, projectId } = service.organization;
    const setOnlyVouched = async (onlyVouchedApps: boolean) => {
      const { status, body } = await call(
        service,
        `/v1/organizations/${organizationId}/projects/${projectId}`,
        { method: 'PATCH', token: await getOrganizationToken(service), json: { onlyVouchedApps } },
      );
      assert.deepEqual([status, body.onlyVouchedApps], [200, onlyVouchedApps]);
    };
    await setOnlyVouched(true);
    try {
      await assertNotLetIn(app);
      const decided = await decideRequest(app.flow.browser, open, 'grant');
      assert.deepEqual([decided.status, decided.body.code], [403, 'client_not_vouched']);
      assert.equal(await getToolStatus(service, tokens.access), 200, 'what is connected stays');
      assert.equal(await getToolStatus(service, (await connect(known)).access), 200);
    } finally {
      await setOnlyVouched(false);
    }
    const setForAll = async (onlyVouchedApps: boolean) =>
      call(service, `/v1/organizations/${organizationId}`, {
        method: 'PATCH',
        token: await getOrganizationToken(service),
        json: { onlyVouchedApps },
      });
    assert.equal((await setForAll(true)).body.onlyVouchedApps, true);
    try {
      await assertNotLetIn(app);
      assert.equal(await getToolStatus(service, (await connect(known)).access), 200);
    } finally {
      await setForAll(false);
    }
  });

  it('case 269: pages of the list while apps come; an app of another organization by its id', async () => {
    const names = await Promise.all(['Ant', 'Bee', 'Cat'].map((name) => newApp(`Zoo ${name}`)));
    for (const app of names) await begin(app);
    const first = await call(service, clientsPath('?q=zoo&limit=2'), {
      token: await getOrganizationToken(service),
    });
    await begin(await newApp('Zoo Dog'));
    const next = await listApps(`q=zoo&limit=2&after=${first.body.next}`);
    const seen = [...first.body.results, ...next].map(({ name }: { name: string }) => name);
    assert.deepEqual(seen.sort(), ['Zoo Ant', 'Zoo Bee', 'Zoo Cat']);
    assert.deepEqual(
      (await listApps('q=zoo&connected=true')).map(({ name }) => name),
      [],
    );
    const other = await newOrganization(service);
    const foreign = await getOrganizationToken(service, 'admin', other);
    const { id } = await findApp(names[0] as App);
    assert.equal((await call(service, clientsPath(`/${id}`, other), { token: foreign })).status, 404);
    assert.deepEqual((await call(service, clientsPath('', other), { token: foreign })).body.results, []);
    assert.equal((await call(service, clientsPath('?judgment=new'), { token: foreign })).status, 403);
    const unknown = await call(service, clientsPath('?judgment=new', other), { token: foreign });
    assert.equal(unknown.status, 400);
  });

  it('case 380: a block after a withdrawal ends the access token that the withdrawal left its reason', async () => {
    const app = await newApp();
    const { access } = await connect(app);
    await decide(service, app.flow.patient, 'OPTED_OUT');
    assert.deepEqual(
      [await getToolStatus(service, access), (await callMcp(service, access)).status],
      [403, 200],
    );
    await block(app);
    assert.deepEqual(
      [await getToolStatus(service, access), (await callMcp(service, access)).status],
      [401, 401],
    );
  });

  it('case 375: an app that was connected under its host with a dot, before such hosts were refused', async () => {
    const { db } = service.store;
    const host = newHost();
    const [app, dotted] = [
      await newApp('Pill helper', `https://${host}/callback`),
      await newApp('Dotted helper', `https://${host}/callback`),
    ];
    const tokens = await connect(dotted);
    const findDotted = async () => (await listApps(`q=${host}`)).find(({ name }) => name === 'Dotted helper');
    const { id } = await findDotted();
    const targets = [`host:${host}.`];
    await db.query(sql`
      update client_app set redirect_host = ${`${host}.`}, targets = ${targets}::text[] where app_id = ${id}`);
    await connect(app);
    const { id: appId } = (await listApps(`q=${host}`)).find(({ name }) => name === 'Pill helper') ?? {};
    assert.deepEqual((await judgeApp(appId, { judgement: 'blocked' })).body.alsoCaught, []);
    assert.equal(await getToolStatus(service, tokens.access), 200);

    const migration = (await readMigrations()).find(({ name }) => name.startsWith('0126'));
    for (const statement of (migration?.text ?? '').split(/;$/m).filter((text) => text.trim() !== ''))
      await db.query(sql`${raw(statement)}`);
    const found = await findDotted();
    assert.deepEqual([found.redirectHost, found.blocks, found.judgement], [host, `host:${host}`, 'blocked']);
    await endBlockedConnections({
      db,
      clock: service.clock,
      audit: createAuditLog({ db, clock: service.clock }),
    });
    assert.equal(await getToolStatus(service, tokens.access), 401);
    const entries = (await dotted.flow.browser.get('/account/access-log')).body
      .results as HttpResponse['body'][];
    const [revoked] = entries.filter(({ action }) => action === 'oauth.grant_revoked');
    assert.deepEqual([revoked?.client.id, revoked?.actor.kind], [dotted.clientId, 'system']);
  });
});

/** Sessions of people end after a while; the app and its keys stay. */
async function signInAgain(flow: Flow): Promise<Flow> {
  await flow.browser.post('/account/sign-in', {
    email: flow.patient.email,
    password: flow.patient.password,
  });
  return { ...flow, pkce: createPkce() };
}
