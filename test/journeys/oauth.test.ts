import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import {
  getRedirectParameters,
  buildAuthorizePath,
  callMcp,
  obtainCode,
  decideRequest,
  exchangeCode,
  postForm,
  newFlow,
  refresh,
  getRequestId,
  obtainTokens,
  waitUntilReady,
  type Flow,
} from '../harness/authorization.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { call, startTestService, type TestService } from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

for (const engine of JOURNEY_ENGINES) {
  describe(`an agent connects from the URL alone: ${engine}`, () => {
    let service: TestService;
    before(async () => {
      service = await startTestService({ engine });
    });
    after(() => service.stop());

    /** Each consent's state, and whether its apps may read. */
    async function connected({ browser }: Flow): Promise<unknown[]> {
      const { body } = await browser.get('/account/consents');
      const consents = body.consents as { status: string; apps: { connected: boolean }[] }[];
      return consents.map(({ status, apps }) => [status, apps.map((app) => app.connected)]);
    }

    it('through consent, code, reading, refreshing, until it is revoked', async () => {
      const flow = await newFlow(service);
      const { browser, client, pkce, patient } = flow;
      const clientId = client.client_id as string;
      const begun = await browser.get(buildAuthorizePath({ clientId, challenge: pkce.challenge }));
      assert.equal(begun.status, 303);
      const { projectId } = service.organization;
      assert.match(
        begun.headers.get('location') ?? '',
        new RegExp(
          `^${service.baseUrl}/consent/#/patient-consent/${projectId}/enrollment/link\\?oauth_state=`,
        ),
      );
      const requestId = getRequestId(begun);

      const asked = await browser.get(`/oauth/interaction/${requestId}`);
      assert.equal(asked.status, 200);
      assert.equal(asked.body.status, 'pending');
      assert.deepEqual(asked.body.client, {
        name: 'Test agent',
        verifiedHost: null,
        redirectHost: 'agent.example',
        onThisDevice: false,
        registeredAt: asked.body.client.registeredAt,
        looksLike: null,
        about: null,
        knownBy: null,
        letIn: true,
      });
      const registeredMs =
        service.clock.now().getTime() - Date.parse(asked.body.client.registeredAt as string);
      assert.ok(registeredMs >= 0 && registeredMs < 60_000);
      assert.equal(asked.body.person.email, patient.email);

      const decided = await decideRequest(browser, requestId, 'grant');
      assert.deepEqual([decided.status, decided.body], [200, { status: 'ready' }]);
      await waitUntilReady(browser, requestId);
      const back = await browser.get(`/oauth/complete/${requestId}`);
      assert.equal(back.status, 303);
      const { code, state, iss } = getRedirectParameters(back);
      assert.deepEqual([state, iss], ['the state', service.baseUrl]);

      const first = await exchangeCode(service, flow, code as string);
      assert.equal(first.status, 200, JSON.stringify(first.body));
      assert.equal(first.headers.get('cache-control'), 'no-store');
      const { access_token: accessToken, refresh_token: refreshToken, ...rest } = first.body;
      assert.deepEqual(rest, {
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'patient/*.read offline_access',
      });
      const { iat, exp, jti, gid, ...claims } = decodeJwt(accessToken as string) as Record<string, unknown>;
      assert.equal((exp as number) - (iat as number), 3600);
      assert.ok(jti !== undefined && gid !== undefined);
      assert.equal(claims['firstName'] !== '', true);
      assert.deepEqual(
        { ...claims, firstName: '', lastName: '' },
        {
          sub: patient.id,
          iss: service.baseUrl,
          aud: `${service.baseUrl}/mcp`,
          scope: 'patient/*.read offline_access',
          organizationId: service.organization.organizationId,
          projectId,
          firstName: '',
          lastName: '',
          isTestPatient: true,
          client_id: clientId,
        },
      );
      assert.equal(decodeProtectedHeader(accessToken as string).typ, 'at+jwt');
      assert.equal((await callMcp(service, accessToken as string, 'tools/call')).status, 200);

      const second = await refresh(service, clientId, refreshToken as string);
      assert.equal(second.status, 200, JSON.stringify(second.body));
      assert.notEqual(second.body.refresh_token, refreshToken);
      assert.equal((await callMcp(service, second.body.access_token as string)).status, 200);

      const revoked = await postForm(service, '/oauth/revoke', {
        token: second.body.refresh_token as string,
        token_type_hint: 'refresh_token',
        client_id: clientId,
      });
      assert.deepEqual([revoked.status, revoked.body], [200, { success: true }]);
      assert.equal((await callMcp(service, second.body.access_token as string)).status, 401);
      const third = await refresh(service, clientId, second.body.refresh_token as string);
      assert.deepEqual([third.status, third.body.error], [400, 'invalid_grant']);
    });

    it('and is led back with access_denied when the patient says no', async () => {
      const { browser, client, pkce } = await newFlow(service);
      const begun = await browser.get(
        buildAuthorizePath({ clientId: client.client_id as string, challenge: pkce.challenge }),
      );
      const requestId = getRequestId(begun);
      assert.deepEqual((await decideRequest(browser, requestId, 'deny')).body, { status: 'denied' });
      const { error, state, iss, code } = getRedirectParameters(
        await browser.get(`/oauth/complete/${requestId}`),
      );
      assert.deepEqual([error, state, iss, code], ['access_denied', 'the state', service.baseUrl, undefined]);
    });

    it('is shown to its patient, who stops it', async () => {
      const flow = await newFlow(service);
      const { access_token: token } = await obtainTokens(service, flow);
      const { projectId } = service.organization;
      const { body } = await flow.browser.get('/account/consents');
      assert.deepEqual(
        body.consents.map(({ project, apps }: { project: unknown; apps: { name: string }[] }) => [
          project,
          apps.map(({ name }) => name),
        ]),
        [[{ id: projectId, name: 'Study', titles: { en: null, es: null } }, ['Test agent']]],
      );
      assert.deepEqual(await connected(flow), [['active', [true]]]);
      const stopped = await flow.browser.post('/account/consents/withdraw', { projectId });
      assert.equal(stopped.status, 204);
      assert.equal((await callMcp(service, token as string, 'tools/call')).status, 403);
      assert.deepEqual(await connected(flow), [['withdrawn', [false]]]);
      await flow.browser.post('/account/sign-out');
      assert.equal((await flow.browser.get('/account/consents')).status, 401);
    });

    it('is refused the record, with the reason, from the moment the consent is taken back', async () => {
      const flow = await newFlow(service);
      const { access_token: token, refresh_token: refreshToken } = await obtainTokens(service, flow);
      const { projectId } = service.organization;
      const login = await call(service, '/v1/auth/token', {
        json: { email: flow.patient.email, password: flow.patient.password, projectId },
      });
      const withdrawn = await call(service, `/v1/projects/${projectId}/patients/${flow.patient.id}/consent`, {
        token: login.body.token as string,
        json: { consentStatus: 'OPTED_OUT' },
      });
      assert.equal(withdrawn.status, 201);
      const refused = await callMcp(service, token as string, 'tools/call');
      assert.deepEqual([refused.status, refused.body], [403, { error: 'Data Access is revoked!' }]);
      const again = await refresh(service, flow.client.client_id as string, refreshToken as string);
      assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
      // Nor is anything left to stop.
      assert.deepEqual(await connected(flow), [['withdrawn', [false]]]);
      // A later consent does not bring the old grant back.
      await obtainCode({ ...flow });
      assert.equal((await callMcp(service, token as string, 'tools/call')).status, 401);
    });
  });
}

describe('requests of one app: postgresql', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ engine: 'postgresql' });
  });
  after(() => service.stop());

  it('begin and are shown without waiting for one that changes what the app says of itself', async () => {
    const { browser, client, pkce } = await newFlow(service);
    const path = buildAuthorizePath({ clientId: client.client_id as string, challenge: pkce.challenge });
    const beginAndShow = async (): Promise<void> => {
      const begun = await browser.get(path);
      assert.equal(begun.status, 303);
      assert.equal((await browser.get(`/oauth/interaction/${getRequestId(begun)}`)).status, 200);
    };
    await beginAndShow();
    await service.store.db.tx(async (tx) => {
      const rows = await tx.query(sql`select from client_app for update`);
      assert.equal(rows.length, 1);
      await beginAndShow();
    });
  });
});
