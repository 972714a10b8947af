import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  getRedirectParameters,
  buildAuthorizePath,
  decideRequest,
  sendRequestScreens,
  newFlow,
  getRequestId,
  createSignedInBrowser,
  type Flow,
} from '../harness/authorization.ts';
import {
  call,
  getOrganizationToken,
  newOrganization,
  newTestPatient,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import { createTestBrowser, type RequestHeaders, type TestBrowser } from '../harness/test-browser.ts';
import { UNLIMITED } from './attack.ts';

const HOUR_MS = 3600 * 1000;

const begin = async ({ browser, client, pkce }: Flow): Promise<string> => {
  const attempt = { clientId: client.client_id as string, challenge: pkce.challenge };
  return getRequestId(await browser.get(buildAuthorizePath(attempt)));
};

/** Everything that a decision could change. */
const readState = ({ store }: TestService): Promise<unknown> =>
  one(
    store.db,
    sql`select
      (select json_agg(r order by request_id) from oauth_request r)::text as requests,
      (select json_agg(g order by grant_id) from oauth_grant g)::text as grants,
      (select json_agg(c order by patient_id, project_id, consent_type) from consent c)::text as consents,
      (select count(*) from consent_record) as records, (select count(*) from audit_entry) as audited,
      (select count(*) from job) as jobs`,
  );

const getStatusAndCode = ({ status, body }: HttpResponse): unknown[] => [status, body.code];

const formatCookies = ({ cookies }: TestBrowser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

for (const engine of JOURNEY_ENGINES) {
  describe(`a decision that the patient did not make: ${engine}`, () => {
    let service: TestService;
    before(async () => {
      service = await startTestService({ engine, environment: UNLIMITED });
    });
    after(() => service.stop());

    /** Asserts a refusal that changed nothing; then lets the patient decide after all. */
    async function refused(flow: Flow, requestId: string, attempt: () => Promise<void>): Promise<void> {
      const before = await readState(service);
      await attempt();
      assert.deepEqual(await readState(service), before);
      const { body } = await flow.browser.get(`/oauth/interaction/${requestId}`);
      assert.equal(body.status, 'pending');
      assert.deepEqual((await decideRequest(flow.browser, requestId, 'grant')).body, { status: 'ready' });
    }

    const forgeries: [how: string, headers: (on: TestBrowser) => Promise<RequestHeaders>, status?: number][] =
      [
        ['without its proof', async () => ({ 'x-csrf-token': undefined })],
        ['with an empty proof', async () => ({ 'x-csrf-token': '' })],
        ['with a wrong proof', async () => ({ 'x-csrf-token': 'x' })],
        ['with a wrong proof of the right length', async () => ({ 'x-csrf-token': 'A'.repeat(43) })],
        ['with a part of its proof', async (on) => ({ 'x-csrf-token': (await on.csrfToken()).slice(0, -1) })],
        ['with its proof and more', async (on) => ({ 'x-csrf-token': `${await on.csrfToken()}A` })],
        [
          'with its proof twice',
          async (on) => ({ 'x-csrf-token': `${await on.csrfToken()}, ${await on.csrfToken()}` }),
        ],
        [
          'with its proof in upper case',
          async (on) => ({ 'x-csrf-token': (await on.csrfToken()).toUpperCase() }),
        ],
        [
          'with the proof of another browser',
          async () => ({ 'x-csrf-token': await createTestBrowser(service).csrfToken() }),
        ],
        [
          'with the cookie for a proof',
          async (on) => ({ 'x-csrf-token': on.cookies.get('chartgate-browser') }),
        ],
        [
          'with the proof as a cookie',
          async (on) => ({
            'x-csrf-token': undefined,
            cookie: `${formatCookies(on)}; x-csrf-token=${await on.csrfToken()}`,
          }),
        ],
        [
          'with the proof under another name',
          async (on) => ({
            'x-csrf-token': undefined,
            'x-xsrf-token': await on.csrfToken(),
          }),
        ],
        ['from a foreign page', async () => ({ origin: 'https://evil.example' })],
        [
          'from a page whose name begins as ours',
          async () => ({ origin: `${service.baseUrl}.evil.example` }),
        ],
        ['from another port of this host', async () => ({ origin: 'http://127.0.0.1:1' })],
        [
          'from another name of this host',
          async () => ({ origin: service.baseUrl.replace('127.0.0.1', 'localhost') }),
        ],
        ['from https of this host', async () => ({ origin: service.baseUrl.replace('http:', 'https:') })],
        ['from a sandboxed frame', async () => ({ origin: 'null' })],
        ['from an empty origin', async () => ({ origin: '' })],
        ['from two origins', async () => ({ origin: `${service.baseUrl}, https://evil.example` })],
        ['marked cross-site', async () => ({ 'sec-fetch-site': 'cross-site' })],
        ['marked same-site', async () => ({ 'sec-fetch-site': 'same-site' })],
        ['marked as typed by a person', async () => ({ 'sec-fetch-site': 'none' })],
        [
          'marked by a word that no browser has',
          async () => ({ 'sec-fetch-site': 'same-origin, cross-site' }),
        ],
        [
          'marked cross-site, without an origin',
          async () => ({ origin: undefined, 'sec-fetch-site': 'cross-site' }),
        ],
        ['without any cookie', async () => ({ cookie: '' })],
        [
          'with the session alone',
          async (on) => ({ cookie: `chartgate-session=${on.cookies.get('chartgate-session')}` }),
        ],
      ];
    for (const [how, headersOf] of forgeries) {
      it(`case 26: ${how} is refused, and nothing has changed`, async () => {
        const flow = await newFlow(service);
        const requestId = await begin(flow);
        const headers = await headersOf(flow.browser);
        await refused(flow, requestId, async () => {
          for (const decision of ['grant', 'deny']) {
            const before = new Map(flow.browser.cookies);
            const answer = await flow.browser.post(`/oauth/interaction/${requestId}`, { decision }, headers);
            // A browser without a cookie is given one, which is not to replace this one's.
            before.forEach((value, name) => flow.browser.cookies.set(name, value));
            assert.equal(answer.status, 403);
            assert.ok(['csrf', 'host_not_allowed'].includes(answer.body.code as string), answer.body.code);
            assert.equal(answer.headers.get('access-control-allow-origin'), null);
          }
        });
      });
    }

    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      'text/plain;application/json',
      'text/json',
      'application/xml',
      '',
    ]) {
      it(`case 26: as ${type || 'no content type'}, which a form could send, is refused`, async () => {
        const flow = await newFlow(service);
        const requestId = await begin(flow);
        const csrf = await flow.browser.csrfToken();
        const bodies = [
          'decision=grant',
          '{"decision":"grant"}',
          '--x\r\nContent-Disposition: form-data; name="decision"\r\n\r\ngrant\r\n--x--\r\n',
        ];
        await refused(flow, requestId, async () => {
          for (const body of bodies) {
            for (const proof of [{}, { 'x-csrf-token': csrf }]) {
              const headers = { ...proof, cookie: formatCookies(flow.browser), 'content-type': type };
              const { status } = await call(service, `/oauth/interaction/${requestId}`, { body, headers });
              assert.ok([400, 403, 415].includes(status), String(status));
            }
          }
        });
      });
    }

    it('case 26: by another method is refused, and GET only looks', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const path = `/oauth/interaction/${requestId}`;
      const headers = {
        cookie: formatCookies(flow.browser),
        'x-csrf-token': await flow.browser.csrfToken(),
        origin: service.baseUrl,
        'content-type': 'application/json',
        'x-http-method-override': 'POST',
      };
      await refused(flow, requestId, async () => {
        for (const method of ['PUT', 'PATCH', 'DELETE']) {
          const answer = await call(service, path, { method, headers, body: '{"decision":"grant"}' });
          assert.equal(answer.status, 405);
          assert.deepEqual((answer.headers.get('allow') ?? '').split(', ').sort(), ['GET', 'HEAD', 'POST']);
        }
        for (const query of ['?decision=grant', '?_method=POST&decision=grant', '?decision=deny']) {
          const answer = await call(service, path + query, { headers });
          assert.deepEqual([answer.status, answer.body.status], [200, 'pending']);
        }
        assert.equal((await call(service, path, { method: 'HEAD', headers })).status, 200);
      });
    });

    it('case 26: is not permitted to any page by CORS', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null', service.baseUrl]) {
        for (const method of ['OPTIONS', 'GET', 'POST']) {
          const { headers } = await call(service, `/oauth/interaction/${requestId}`, {
            method,
            headers: {
              origin,
              cookie: formatCookies(flow.browser),
              'access-control-request-method': 'POST',
              'access-control-request-headers': 'x-csrf-token, content-type',
            },
          });
          for (const name of ['origin', 'credentials', 'methods', 'headers'])
            assert.equal(headers.get(`access-control-allow-${name}`), null, `${method} ${origin} ${name}`);
        }
      }
    });

    it('case 26: in words that are none is refused, and nothing has changed', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      await refused(flow, requestId, async () => {
        for (const json of [
          {},
          [],
          null,
          'grant',
          { decision: 'GRANT' },
          { decision: 'yes' },
          { decision: true },
          { decision: ['grant'] },
          { decision: null },
          { Decision: 'grant' },
          { decision: 'grant', interactions: 'x' },
          {
            decision: 'grant',
            interactions: [{ screen: '<script>', action: 'x', at: new Date().toISOString() }],
          },
          { decision: 'grant', interactions: [{ screen: 'x', action: 'x', at: 'now' }] },
          {
            decision: 'grant',
            interactions: Array.from({ length: 201 }, () => ({
              screen: 'x',
              action: 'x',
              at: new Date().toISOString(),
            })),
          },
        ]) {
          const { status } = await flow.browser.post(`/oauth/interaction/${requestId}`, json);
          assert.equal(status, 400, JSON.stringify(json).slice(0, 100));
        }
      });
    });

    it('case 26: of nobody who is signed in cannot be a yes', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const session = flow.browser.cookies.get('chartgate-session') ?? '';
      const other = await newTestPatient(service, { consent: false });
      const others = (await createSignedInBrowser(service, other)).cookies.get('chartgate-session') ?? '';
      const [patientId = '', secret = ''] = session.split('.');
      await refused(flow, requestId, async () => {
        for (const value of [
          '',
          'x',
          patientId,
          `${patientId}.`,
          `${patientId}.${'A'.repeat(43)}`,
          `${other.id}.${secret}`,
          `${patientId}.${others.split('.')[1]}`,
          `${patientId.toUpperCase()}.${secret}`,
          `${session}A`,
        ]) {
          flow.browser.cookies.set('chartgate-session', value);
          assert.deepEqual(
            getStatusAndCode(await decideRequest(flow.browser, requestId, 'grant')),
            [401, 'not_signed_in'],
            value,
          );
        }
        flow.browser.cookies.set('chartgate-session', session);
      });
    });

    it('case 26: after signing out, with the cookie that was kept, cannot be a yes', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const session = flow.browser.cookies.get('chartgate-session') ?? '';
      await flow.browser.post('/account/sign-out');
      flow.browser.cookies.set('chartgate-session', session);
      const before = await readState(service);
      assert.equal((await decideRequest(flow.browser, requestId, 'grant')).status, 401);
      assert.deepEqual(await readState(service), before);
    });

    const AGAIN = ['grant', 'deny'] as const;
    for (const first of AGAIN) {
      it(`case 27: after ${first} is 409, whatever it is, before and after the way back`, async () => {
        const flow = await newFlow(service);
        const requestId = await begin(flow);
        const { status: decided } = (await decideRequest(flow.browser, requestId, first)).body as {
          status: string;
        };
        const before = await readState(service);
        for (const decision of [...AGAIN, ...AGAIN])
          assert.deepEqual(getStatusAndCode(await decideRequest(flow.browser, requestId, decision)), [
            409,
            'already_decided',
          ]);
        assert.deepEqual(await readState(service), before);
        assert.equal((await flow.browser.get(`/oauth/interaction/${requestId}`)).body.status, decided);
        const back = getRedirectParameters(await flow.browser.get(`/oauth/complete/${requestId}`));
        assert.equal('code' in back, first === 'grant');
        const closed = await readState(service);
        for (const decision of AGAIN)
          assert.deepEqual(getStatusAndCode(await decideRequest(flow.browser, requestId, decision)), [
            409,
            'already_decided',
          ]);
        assert.deepEqual(await readState(service), closed);
      });
    }

    it('case 27: after the request has expired is 410, and long after 404 or 410', async () => {
      const own = await newFlow(service);
      const requestId = await begin(own);
      service.clock.advance(HOUR_MS + 1000);
      const { email, password } = own.patient;
      await own.browser.post('/account/sign-in', { email, password });
      const before = await readState(service);
      for (const decision of AGAIN)
        assert.deepEqual(getStatusAndCode(await decideRequest(own.browser, requestId, decision)), [
          410,
          'request_expired',
        ]);
      assert.deepEqual(getStatusAndCode(await own.browser.get(`/oauth/interaction/${requestId}`)), [
        410,
        'request_expired',
      ]);
      assert.deepEqual(await readState(service), before);
    });

    it('case 27: of a request that does not exist is 404, or no request at all', async () => {
      const { browser } = await newFlow(service);
      for (const decision of AGAIN) {
        assert.equal((await decideRequest(browser, 'A'.repeat(32), decision)).status, 404);
        for (const id of ['A'.repeat(31), '%00', "'%20or%20true", '__proto__'])
          assert.equal((await decideRequest(browser, id, decision)).status, 400, id);
      }
    });

    it('case 27: ten times at once counts once', async () => {
      for (let round = 0; round < 5; round++) {
        const flow = await newFlow(service);
        const requestId = await begin(flow);
        const screens = await sendRequestScreens(flow.browser, requestId);
        const decisions = Array.from({ length: 10 }, (_, index) =>
          round < 3 || index % 2 === 0 ? 'grant' : 'deny',
        );
        const answers = await Promise.all(
          decisions.map((decision) => decideRequest(flow.browser, requestId, decision, { screens })),
        );
        const won = answers.filter(({ status }) => status === 200);
        assert.equal(won.length, 1);
        assert.equal(answers.filter(({ status }) => status === 409).length, 9);
        const denied = won[0]?.body.status === 'denied' ? 1 : 0;
        const { grants, records } = await one(
          service.store.db,
          sql<{ grants: string; records: string }>`select
            (select count(*) from oauth_grant where patient_id = ${flow.patient.id}) as grants,
            (select count(*) from consent_record where patient_id = ${flow.patient.id}) as records`,
        );
        assert.deepEqual([Number(grants), Number(records)], [1 - denied, 1 - denied]);
      }
    });

    if (engine === 'postgresql')
      it('case 374: waits for a withdrawal with nothing locked that the withdrawal denies', async () => {
        const { db } = service.store;
        const flow = await newFlow(service);
        const requestId = await begin(flow);
        const screens = await sendRequestScreens(flow.browser, requestId);
        const locked = Promise.withResolvers<void>();
        const withdrawal = db.tx(async (tx) => {
          await tx.query(sql`select from enrollment where patient_id = ${flow.patient.id} for update`);
          locked.resolve();
          const isWaited = sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
          while ((await tx.query(isWaited)).length === 0) await setImmediate();
          await tx.query(sql`select from oauth_request where request_id = ${requestId} for update nowait`);
        });
        await locked.promise;
        const decided = decideRequest(flow.browser, requestId, 'grant', { screens });
        await withdrawal;
        assert.equal((await decided).status, 200);
      });

    if (engine === 'postgresql')
      it('case 390: is waited for by the deletion of the patient, with nothing locked that it needs', async () => {
        const { db } = service.store;
        const { patient } = await newFlow(service);
        const admin = await getOrganizationToken(service);
        const { organizationId } = service.organization;
        const url = `/v1/organizations/${organizationId}/test-patients/${patient.id}`;
        const locked = Promise.withResolvers<void>();
        const decision = db.tx(async (tx) => {
          await tx.query(sql`select from enrollment where patient_id = ${patient.id} for no key update`);
          locked.resolve();
          const isWaited = sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
          while ((await tx.query(isWaited)).length === 0) await setImmediate();
          await tx.query(sql`select from patient where patient_id = ${patient.id} for share nowait`);
        });
        await locked.promise;
        const deleted = call(service, url, { method: 'DELETE', token: admin });
        await decision;
        assert.equal((await deleted).status, 204);
      });

    it('case 28: by another patient, in another browser, is 403 at every stage', async () => {
      const [mine, theirs] = [await newFlow(service), await newFlow(service)];
      const requestId = await begin(mine);
      const assertTheirs = async (): Promise<void> => {
        const before = await readState(service);
        for (const decision of AGAIN)
          assert.deepEqual(getStatusAndCode(await decideRequest(theirs.browser, requestId, decision)), [
            403,
            'other_browser',
          ]);
        assert.deepEqual(getStatusAndCode(await theirs.browser.get(`/oauth/interaction/${requestId}`)), [
          403,
          'other_browser',
        ]);
        assert.deepEqual(await readState(service), before);
      };
      await assertTheirs();
      await setStatus(service, requestId, 'processing', mine.patient.id);
      await assertTheirs();
      await setStatus(service, requestId, 'ready', mine.patient.id);
      await assertTheirs();
    });

    it('case 28: by another patient who signs in in the same browser is 409 once the first has decided', async () => {
      const flow = await newFlow(service);
      const other = await newTestPatient(service, { consent: false });
      for (const status of ['processing', 'ready'] as const) {
        const requestId = await begin(flow);
        await decideRequest(flow.browser, requestId, 'grant');
        await setStatus(service, requestId, status, flow.patient.id);
        const { email, password } = other;
        await flow.browser.post('/account/sign-in', { email, password });
        const before = await readState(service);
        for (const decision of AGAIN)
          assert.deepEqual(getStatusAndCode(await decideRequest(flow.browser, requestId, decision)), [
            409,
            'already_decided',
          ]);
        assert.deepEqual(await readState(service), before);
        await flow.browser.post('/account/sign-in', {
          email: flow.patient.email,
          password: flow.patient.password,
        });
      }
    });

    it('case 28: by two patients of one browser at once is the one’s or the other’s, whole', async () => {
      for (let round = 0; round < 5; round++) {
        const flow = await newFlow(service);
        const other = await newTestPatient(service, { consent: false });
        const requestId = await begin(flow);
        const second = createTestBrowser(service);
        second.cookies.set('chartgate-browser', flow.browser.cookies.get('chartgate-browser') ?? '');
        await second.post('/account/sign-in', { email: other.email, password: other.password });
        const mine = { browser: flow.browser, screens: await sendRequestScreens(flow.browser, requestId) };
        const theirs = { browser: second, screens: await sendRequestScreens(second, requestId) };
        const answers = await Promise.all(
          [mine, theirs, mine, theirs].map(({ browser, screens }) =>
            decideRequest(browser, requestId, 'grant', { screens }),
          ),
        );
        assert.deepEqual(
          answers.map(({ status }) => status).sort((one, other) => one - other),
          [200, 409, 409, 409],
        );
        const rows = await service.store.db.query(
          sql<{ same: boolean; records: string }>`select
            r.patient_id = g.patient_id as same,
            (select count(*) from consent_record c where c.patient_id in (${flow.patient.id}, ${other.id})) as records
            from oauth_request r join oauth_grant g on g.grant_id = r.grant_id where r.request_id = ${requestId}`,
        );
        assert.deepEqual(
          rows.map(({ same, records }) => [same, Number(records)]),
          [[true, 1]],
        );
      }
    });

    it('case 28: by a test patient of another organization is 403, and nothing has changed', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const organization = await newOrganization(service);
      const foreigner = await newTestPatient(service, { organization, consent: false });
      const { email, password } = foreigner;
      await flow.browser.post('/account/sign-in', { email, password });
      const before = await readState(service);
      assert.deepEqual(getStatusAndCode(await decideRequest(flow.browser, requestId, 'grant')), [
        403,
        'not_eligible',
      ]);
      assert.equal((await flow.browser.get(`/oauth/interaction/${requestId}`)).body.eligible, false);
      assert.deepEqual(await readState(service), before);
    });
  });
}

/** As it is while records are fetched, and when they are there. */
const setStatus = (
  { store }: TestService,
  requestId: string,
  status: 'processing' | 'ready',
  patientId: string,
): Promise<unknown> =>
  store.db.query(
    sql`update oauth_request set status = ${status}, patient_id = ${patientId} where request_id = ${requestId}`,
  );
