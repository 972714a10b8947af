import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import {
  getRedirectParameters,
  buildAuthorizePath,
  obtainCode,
  exchangeCode,
  newFlow,
  refresh,
  registerClient,
  obtainTokens,
  type Flow,
} from '../harness/authorization.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { findGrant, getStatusAndError, UNLIMITED } from './attack.ts';

const READ = 'patient/*.read';
const BOTH = 'patient/*.read offline_access';

let service: TestService;
let flow: Flow;
before(async () => {
  service = await startTestService({ environment: UNLIMITED });
  flow = await newFlow(service);
});
after(() => service.stop());

const begin = (scope: string, on = flow) =>
  on.browser.get(
    buildAuthorizePath({ clientId: on.client.client_id as string, challenge: on.pkce.challenge }, { scope }),
  );

describe('who asks for more than there is', () => {
  for (const scope of [
    '*',
    '*/*.*',
    'patient/*.write',
    'patient/*.*',
    'user/*.read',
    'system/*.read',
    'openid',
    'admin',
    'PATIENT/*.READ',
    'patient/*.READ',
    'patient/*.readwrite',
    'patient/Observation.read',
    'patient/*.read,offline_access',
    'patient/*.read\toffline_access',
    'patient/*.read\noffline_access',
    'offline_access',
    'patient%2F*.read',
    ' ',
  ]) {
    it(`case 39: of ${JSON.stringify(scope)} there is nothing to grant`, async () => {
      const answer = await begin(scope);
      assert.deepEqual([answer.status, getRedirectParameters(answer)['error']], [303, 'invalid_scope']);
    });
  }

  for (const [scope, granted] of [
    [`${READ} patient/*.write`, READ],
    [`* ${READ} admin openid`, READ],
    [`${READ} ${READ}`, READ],
    [`offline_access  ${READ} fhirUser launch/patient`, BOTH],
    [` ${READ} `, READ],
  ] as const) {
    it(`case 39: of ${JSON.stringify(scope)} is granted ${granted}, in answer and token alike`, async () => {
      const { browser } = flow;
      const begun = await begin(scope);
      const state = /oauth_state=([\w-]+)/.exec(begun.headers.get('location') ?? '')?.[1] ?? '';
      const { id } = JSON.parse(Buffer.from(state, 'base64url').toString()) as { id: string };
      assert.deepEqual((await browser.get(`/oauth/interaction/${id}`)).body.scopes, granted.split(' '));
      const { body } = await exchangeCode(service, flow, await obtainCode(flow, { scope }));
      assert.equal(body.scope, granted);
      assert.equal(decodeJwt(body.access_token as string)['scope'], granted);
    });
  }

  it('case 39: may read who registered offline_access alone, now or before that was registered with it', async () => {
    const client = await registerClient(service, { scope: 'openid offline_access', grant_types: undefined });
    assert.equal(client.scope, BOTH);
    const id = client.client_id as string;
    await service.store.db.query(
      sql`update oauth_client set scope = 'offline_access' where client_id = ${id}`,
    );
    const own = { ...flow, client };
    const { body } = await exchangeCode(service, own, await obtainCode(own, { scope: BOTH }));
    assert.equal(body.scope, BOTH);
  });

  it('case 39: is granted no more than the client registered', async () => {
    const client = await registerClient(service, { scope: READ, grant_types: ['authorization_code'] });
    const modest = { ...flow, client };
    const { body } = await exchangeCode(service, modest, await obtainCode(modest, { scope: BOTH }));
    assert.deepEqual([body.scope, body.refresh_token], [READ, undefined]);
    const registered = await registerClient(service, { scope: 'patient/*.write admin' });
    assert.equal(registered.scope, BOTH, 'what is not supported is not registered');
  });
});

describe('a refresh', () => {
  for (const scope of [BOTH, `${READ} patient/*.write`, '*', 'patient/*.*', `${READ} admin`, 'openid']) {
    it(`case 39: of ${READ} is never widened to ${scope}, and costs nothing`, async () => {
      const tokens = await obtainTokens(service, flow, { scope: READ });
      const clientId = flow.client.client_id as string;
      const wider = await refresh(service, clientId, tokens.refresh_token as string, { scope });
      assert.deepEqual(getStatusAndError(wider), [400, 'invalid_scope']);
      const same = await refresh(service, clientId, tokens.refresh_token as string);
      assert.deepEqual([same.status, same.body.scope], [200, READ]);
    });
  }

  it('case 39: may be narrower, once, without narrowing what was granted', async () => {
    const tokens = await obtainTokens(service, flow, { scope: BOTH });
    const clientId = flow.client.client_id as string;
    const narrow = await refresh(service, clientId, tokens.refresh_token as string, { scope: READ });
    assert.deepEqual([narrow.status, narrow.body.scope], [200, READ]);
    assert.equal(decodeJwt(narrow.body.access_token as string)['scope'], READ);
    const next = await refresh(service, clientId, narrow.body.refresh_token as string);
    assert.equal(next.body.scope, BOTH);
    const wider = await refresh(service, clientId, next.body.refresh_token as string, {
      scope: `${BOTH} patient/*.write`,
    });
    assert.deepEqual(getStatusAndError(wider), [400, 'invalid_scope']);
    assert.equal((await findGrant(service, next.body.access_token)).revoked_because, null);
  });

  it('case 39: of another client learns nothing of the scope', async () => {
    const tokens = await obtainTokens(service, flow, { scope: READ });
    const other = await registerClient(service);
    for (const scope of [READ, BOTH, '*']) {
      const answer = await refresh(service, other.client_id as string, tokens.refresh_token as string, {
        scope,
      });
      assert.deepEqual(getStatusAndError(answer), [400, 'invalid_grant']);
    }
  });
});

describe('refresh tokens', () => {
  for (const [what, metadata, scope, has] of [
    [
      'is not asked for, by a client that did not register refresh_token',
      { grant_types: ['authorization_code'] },
      READ,
      false,
    ],
    ['is not asked for, by a client that named no grant types', { grant_types: undefined }, READ, false],
    [
      'is asked for, by a client that registered others than refresh_token',
      { grant_types: ['authorization_code'] },
      BOTH,
      false,
    ],
    [
      'is asked for, by a client that did not register its scope',
      { scope: READ, grant_types: undefined },
      BOTH,
      false,
    ],
    ['is asked for, by a client that named no grant types', { grant_types: undefined }, BOTH, true],
    ['is not asked for, by a client that registered refresh_token', {}, READ, true],
  ] as const) {
    it(`case 40: are ${has ? '' : 'not '}given where offline_access ${what}`, async () => {
      const client = await registerClient(service, metadata);
      const own = { ...flow, client };
      const { body } = await exchangeCode(service, own, await obtainCode(own, { scope }));
      assert.equal('refresh_token' in body, has, JSON.stringify(body));
      assert.equal((body.scope as string).includes('offline_access'), has && scope === BOTH);
    });
  }
});
