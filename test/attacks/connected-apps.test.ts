import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import { ConsentReceipt } from '../../contract/organization/receipt.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import {
  buildAuthorizePath,
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
import { getEverything } from '../harness/fhir.ts';
import {
  call,
  callTool,
  decide,
  getOrganizationToken,
  getToolText,
  newProject,
  startTestService,
  upload,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import { createTestBrowser, type RequestHeaders } from '../harness/test-browser.ts';
import { WITHHELD_RECORD } from '../mcp/withheld-record.ts';
import { getStatusAndError, getToolStatus, INVALID_GRANT, listAuditDetails, UNLIMITED } from './attack.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Less than all: the categories, in the order of the contract. */
const LESS = { consentDataResourceScopes: ['MEDICATIONS', 'LABS'], consentDataSensitivityScopes: null };
const MORE = { ...LESS, consentDataResourceScopes: ['MEDICATIONS', 'DIAGNOSES', 'LABS'] };

/** An app with its tokens. */
interface App {
  flow: Flow;
  clientId: string;
  access: string;
  refresh: string;
}

for (const engine of JOURNEY_ENGINES) {
  describe(`connected apps: ${engine}`, () => {
    let service: TestService;
    before(async () => {
      service = await startTestService({ engine, environment: UNLIMITED });
    });
    after(() => service.stop());

    const begin = async ({ browser, client, pkce }: Flow, more = {}): Promise<string> =>
      getRequestId(
        await browser.get(
          buildAuthorizePath({ clientId: client.client_id as string, challenge: pkce.challenge }, more),
        ),
      );

    async function obtainCode(flow: Flow, decision: Record<string, unknown> = {}): Promise<string> {
      const requestId = await begin(flow);
      const decided = await decideRequest(flow.browser, requestId, 'grant', decision);
      assert.equal(decided.status, 200, JSON.stringify(decided.body));
      await waitUntilReady(flow.browser, requestId);
      return getRedirectParameters(await flow.browser.get(`/oauth/complete/${requestId}`))['code'] as string;
    }

    /** Connects an app by this decision. */
    async function connect(flow: Flow, decision: Record<string, unknown> = {}): Promise<App> {
      const { status, body } = await exchangeCode(service, flow, await obtainCode(flow, decision));
      assert.equal(status, 200, JSON.stringify(body));
      const clientId = flow.client.client_id as string;
      return {
        flow,
        clientId,
        access: body.access_token as string,
        refresh: body.refresh_token as string,
      };
    }

    /** The same person with another app. */
    const withNewApp = async (flow: Flow): Promise<Flow> => ({
      ...flow,
      client: await registerClient(service, { client_name: 'Other agent' }),
      pkce: createPkce(),
    });

    const disconnect = (
      { browser, patient }: Flow,
      clientId: string,
      { projectId = patient.projectId, headers = {} }: { projectId?: string; headers?: RequestHeaders } = {},
    ): Promise<HttpResponse> =>
      browser.post('/account/consents/disconnect', { projectId, clientId }, headers);

    const getConsent = async ({ browser }: Flow): Promise<HttpResponse['body']> =>
      (await browser.get('/account/consents')).body.consents[0];

    /** What an answer says is not shared. */
    const readNotShared = async (token: string): Promise<string> =>
      /Not shared by the patient: (.*)\(/.exec(
        getToolText(await callTool(service, { token }, 'get_health_summary')),
      )?.[1] ?? '';

    it('case 213: of somebody else, of another project, never seen, without session or proof', async () => {
      const [own, other] = await Promise.all([newFlow(service), newFlow(service)]);
      const app = await connect(own);
      assert.equal((await disconnect(other, app.clientId)).status, 404);
      await connect(other);
      assert.equal((await disconnect(other, app.clientId)).status, 404);
      const projectId = await newProject(service, 'Elsewhere');
      assert.equal((await disconnect(own, app.clientId, { projectId })).status, 404);
      assert.equal((await disconnect(own, 'https://agent.example/client')).status, 404);
      assert.equal(
        (await disconnect(own, app.clientId, { headers: { 'x-csrf-token': 'forged' } })).status,
        403,
      );
      assert.equal(
        (await disconnect(own, app.clientId, { headers: { origin: 'https://evil.example' } })).status,
        403,
      );
      assert.equal(
        (await disconnect({ ...own, browser: createTestBrowser(service) }, app.clientId)).status,
        401,
      );
      assert.equal(await getToolStatus(service, app.access), 200);
      assert.equal((await refresh(service, app.clientId, app.refresh)).status, 200);
    });

    it('disconnects one app at the next call; consent, organization and other apps go on', async () => {
      const flow = await newFlow(service);
      const app = await connect(flow);
      const other = await connect(await withNewApp(flow));
      const before = await getConsent(flow);
      assert.equal((await disconnect(flow, app.clientId)).status, 204);
      assert.equal((await disconnect(flow, app.clientId)).status, 204, 'a second time changes nothing');
      assert.equal(await getToolStatus(service, app.access), 401);
      assert.deepEqual(getStatusAndError(await refresh(service, app.clientId, app.refresh)), INVALID_GRANT);
      assert.equal(await getToolStatus(service, other.access), 200);
      assert.equal((await refresh(service, other.clientId, other.refresh)).status, 200);
      const after = await getConsent(flow);
      const describeApps = (apps: HttpResponse['body'][]) =>
        Object.fromEntries(apps.map((each) => [each.clientId, [each.connected, each.grant !== null]]));
      assert.deepEqual({ ...after, apps: [] }, { ...before, apps: [] });
      assert.deepEqual(describeApps(after.apps), {
        [app.clientId]: [false, false],
        [other.clientId]: [true, true],
      });
      const organization = { id: flow.patient.id, token: await getOrganizationToken(service) };
      assert.equal((await getEverything(service, organization)).status, 200);
      const entries = (await flow.browser.get('/account/access-log')).body.results as HttpResponse['body'][];
      const revoked = entries.filter(({ action }) => action === 'oauth.grant_revoked');
      assert.deepEqual(
        revoked.map(({ client, actor }) => [client.id, actor.kind]),
        [[app.clientId, 'patient']],
      );
      assert.ok(
        (await listAuditDetails(service, 'oauth.grant_revoked')).some(
          (detail) => JSON.stringify(detail) === JSON.stringify({ because: 'patient', grants: 1 }),
        ),
      );
      const again = await connect(flow);
      assert.equal(await getToolStatus(service, again.access), 200, 'the app is connected anew');
    });

    it('case 502: an app whose token has expired, or that has not refreshed for 30 days, is not listed as one that reads', async () => {
      const flow = await newFlow(service);
      const idle = await connect(flow);
      const once = await connect(
        {
          ...flow,
          client: await registerClient(service, {
            client_name: 'Only now',
            grant_types: ['authorization_code'],
          }),
          pkce: createPkce(),
        },
        { duration: '30-days' },
      );
      assert.equal(once.refresh, undefined);
      const listApps = async (): Promise<Record<string, unknown>> => {
        const { apps } = (await getConsent(flow)) as { apps: HttpResponse['body'][] };
        return Object.fromEntries(apps.map((each) => [each.clientId, [each.connected, each.grant !== null]]));
      };
      const { apps } = (await getConsent(flow)) as { apps: HttpResponse['body'][] };
      const { grant } = apps.find(({ clientId }) => clientId === once.clientId) as {
        grant: HttpResponse['body'];
      };
      const left = Date.parse(grant.expirationTimestamp as string) - service.clock.now().getTime();
      assert.ok(left > 3_500_000 && left <= 3_600_000, 'until its only token expires');
      const age = (clientId: string, by: string): Promise<unknown> =>
        service.store.db.query(
          sql`update oauth_grant set rotated_at = rotated_at - ${by}::interval
            where patient_id = ${flow.patient.id} and client_id = ${clientId}`,
        );
      await age(idle.clientId, '29 days');
      await age(once.clientId, '50 minutes');
      assert.deepEqual(await listApps(), {
        [idle.clientId]: [true, true],
        [once.clientId]: [true, true],
      });
      await age(idle.clientId, '2 days');
      await age(once.clientId, '20 minutes');
      assert.deepEqual(await listApps(), {
        [idle.clientId]: [false, false],
        [once.clientId]: [false, false],
      });
      assert.deepEqual(getStatusAndError(await refresh(service, idle.clientId, idle.refresh)), INVALID_GRANT);
    });

    it('case 214: while it refreshes, or exchanges its code: no token that came of it reads', async () => {
      for (let round = 0; round < 4; round++) {
        const flow = await newFlow(service);
        const app = await connect(flow);
        const [refreshed, gone] = await Promise.all([
          refresh(service, app.clientId, app.refresh),
          disconnect(flow, app.clientId),
        ]);
        assert.equal(gone.status, 204);
        if (refreshed.status !== 200) assert.deepEqual(getStatusAndError(refreshed), INVALID_GRANT);
        else {
          const { access_token: access, refresh_token: next } = refreshed.body;
          assert.equal(await getToolStatus(service, access), 401);
          assert.deepEqual(getStatusAndError(await refresh(service, app.clientId, next)), INVALID_GRANT);
        }
        const code = await obtainCode(flow);
        const [exchanged] = await Promise.all([
          exchangeCode(service, flow, code),
          disconnect(flow, app.clientId),
        ]);
        if (exchanged.status !== 200) assert.deepEqual(getStatusAndError(exchanged), INVALID_GRANT);
        else assert.equal(await getToolStatus(service, exchanged.body.access_token), 401);
      }
    });

    it('case 215: before its code is fetched, or exchanged', async () => {
      const flow = await newFlow(service);
      const app = await connect(flow);
      const requestId = await begin(flow);
      assert.equal((await decideRequest(flow.browser, requestId, 'grant')).status, 200);
      const other = await withNewApp(flow);
      const otherCode = await obtainCode(other);
      assert.equal((await disconnect(flow, app.clientId)).status, 204);
      const led = getRedirectParameters(await flow.browser.get(`/oauth/complete/${requestId}`));
      assert.deepEqual([led['error'], led['code']], ['access_denied', undefined]);
      const code = await obtainCode(flow);
      assert.equal((await disconnect(flow, app.clientId)).status, 204);
      assert.deepEqual(getStatusAndError(await exchangeCode(service, flow, code)), INVALID_GRANT);
      assert.equal((await exchangeCode(service, other, otherCode)).status, 200, 'what is of another app');
    });

    it('case 216: a grant never gets wider than it was given, whatever is shared with others', async () => {
      const flow = await newFlow(service);
      await upload(
        service,
        { ...flow.patient },
        await createArchive({ 'a.json': createBundle(...(WITHHELD_RECORD as object[])) }),
      );
      const organization = { id: flow.patient.id, token: await getOrganizationToken(service) };
      const wide = await connect(flow, { consentDataSensitivityScopes: ['NORMAL', 'HIV_OR_STI'] });
      const everything = (await getEverything(service, organization)).body;
      assert.ok(everything.total > 10);
      const [scopes, search] = await Promise.all([
        getConsent(flow),
        callTool(service, { token: wide.access }, 'search', { query: 'hypertension' }),
      ]);

      const narrow = await connect(await withNewApp(flow), { ...LESS, duration: { until: scopes.until } });
      const notShared = await readNotShared(narrow.access);
      assert.match(notShared, /Diagnoses/);
      assert.doesNotMatch(notShared, /Medications|Laboratory/);
      assert.equal(await readNotShared(wide.access), '', 'the first app has what it had');
      assert.deepEqual((await getEverything(service, organization)).body, everything);
      assert.equal(
        getToolText(await callTool(service, { token: wide.access }, 'search', { query: 'hypertension' })),
        getToolText(search),
      );
      const kept = await getConsent(flow);
      assert.deepEqual(
        [kept.consentDataResourceScopes, kept.consentDataSensitivityScopes, kept.until],
        [scopes.consentDataResourceScopes, scopes.consentDataSensitivityScopes, scopes.until],
      );
      const record = (
        await call(service, `/v1/consents/${kept.consentRecordId}`, { token: organization.token })
      ).body;
      assert.deepEqual(record.grant.consentDataResourceScopes, LESS.consentDataResourceScopes);
      assert.deepEqual(record.consentDataSensitivityScopes, ['NORMAL', 'HIV_OR_STI']);
      const { receipt } = (
        await call(service, `/v1/consents/${kept.consentRecordId}/receipt`, {
          token: organization.token,
          headers: { accept: 'application/json' },
        })
      ).body;
      const [purpose] = ConsentReceipt.parse(decodeJwt(receipt as string)).pii_processing.purposes;
      assert.deepEqual(purpose?.recipient_limits?.pii_types, LESS.consentDataResourceScopes);
      assert.ok((purpose?.pii_information.length ?? 0) > LESS.consentDataResourceScopes.length);

      const { body: refreshed } = await refresh(service, narrow.clientId, narrow.refresh);
      assert.equal(await readNotShared(refreshed.access_token), notShared, 'after a refresh');
      const calledFhir = await getEverything(service, { id: flow.patient.id, token: refreshed.access_token });
      assert.equal(calledFhir.status, 401, 'the token of an app is no token of FHIR');

      // Taken from everybody, and given to another app again.
      const narrowed = await flow.browser.post('/account/consents/narrow', {
        projectId: flow.patient.projectId,
        ...LESS,
      });
      assert.equal(narrowed.status, 200, JSON.stringify(narrowed.body));
      await connect(await withNewApp(flow), MORE);
      assert.deepEqual((await getConsent(flow)).consentDataResourceScopes, MORE.consentDataResourceScopes);
      assert.match(
        await readNotShared(wide.access),
        /Diagnoses/,
        'what was taken from it does not come back',
      );
      assert.equal(await readNotShared(refreshed.access_token), notShared);
      await decide(service, flow.patient, 'OPTED_IN');
      assert.match(await readNotShared(wide.access), /Diagnoses/);
      assert.equal(await readNotShared(refreshed.access_token), notShared);
    });

    it('case 217: by a page that shows what is no longer shared, or a form that asks for more than it shows', async () => {
      const flow = await newFlow(service);
      await connect(flow);
      const other = await withNewApp(flow);
      const requestId = await begin(other);
      const { previous } = (await flow.browser.get(`/oauth/interaction/${requestId}`)).body;
      const narrowed = { projectId: flow.patient.projectId, ...LESS };
      assert.equal((await flow.browser.post('/account/consents/narrow', narrowed)).status, 200);
      const countRecords = () =>
        one(
          service.store.db,
          sql`select (select count(*) from consent_record where patient_id = ${flow.patient.id}) as records,
            (select count(*) from oauth_grant where patient_id = ${flow.patient.id}) as grants`,
        );
      const before = await countRecords();
      for (const replaces of [previous.consentRecordId, null]) {
        const stale = await decideRequest(flow.browser, requestId, 'grant', { replaces });
        assert.deepEqual([stale.status, stale.body.code], [409, 'consent_changed']);
      }
      assert.deepEqual(await countRecords(), before);
      const shown = (await flow.browser.get(`/oauth/interaction/${requestId}`)).body.previous;
      const forged = await decideRequest(flow.browser, requestId, 'grant', {
        ...LESS,
        replaces: shown.consentRecordId,
        withheld: 0,
        grant: { consentDataResourceScopes: null, expirationTimestamp: '2100-01-01T00:00:00.000Z' },
        scopes: { resourceScopes: null, sensitivityScopes: null },
      });
      assert.equal(forged.status, 200);
      const { code } = getRedirectParameters(await flow.browser.get(`/oauth/complete/${requestId}`));
      const { body } = await exchangeCode(service, other, code as string);
      assert.match(await readNotShared(body.access_token), /Diagnoses/);
    });

    it('case 218: after its own end, while the consent goes on', async () => {
      const flow = await newFlow(service);
      const app = await connect(flow);
      const brief = await connect(await withNewApp(flow), {
        duration: { until: new Date(service.clock.now().getTime() + 30 * 60_000).toISOString() },
      });
      assert.equal(await getToolStatus(service, brief.access), 200);
      service.clock.advance(31 * 60_000);
      // Nothing but the token is over: its client may ask again.
      assert.equal(await getToolStatus(service, brief.access), 401);
      assert.deepEqual(
        getStatusAndError(await refresh(service, brief.clientId, brief.refresh)),
        INVALID_GRANT,
      );
      assert.equal(await getToolStatus(service, app.access), 200);
      const { body } = await refresh(service, app.clientId, app.refresh);
      assert.equal(await getToolStatus(service, body.access_token), 200);
      const consent = await getConsent(flow);
      assert.ok(Date.parse(consent.until) > service.clock.now().getTime() + 300 * DAY_MS);
    });

    it('case 219: by an older connection of an app that was given less since', async () => {
      const flow = await newFlow(service);
      const older = await connect(flow);
      assert.equal(await readNotShared(older.access), '');
      const newer = await connect({ ...flow, pkce: createPkce() }, LESS);
      assert.match(await readNotShared(newer.access), /Diagnoses/);
      assert.match(await readNotShared(older.access), /Diagnoses/);
      const requestId = await begin({ ...flow, pkce: createPkce() });
      const { previous } = (await flow.browser.get(`/oauth/interaction/${requestId}`)).body;
      assert.deepEqual(previous.grant.consentDataResourceScopes, LESS.consentDataResourceScopes);
      assert.equal(previous.consentDataResourceScopes, null);
    });
  });
}
