import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import { sql } from '../../server/platform/db/sql.ts';
import {
  callMcp,
  exchangeCode,
  obtainCode,
  postForm,
  newFlow,
  refresh,
  registerClient,
  obtainTokens,
  type Flow,
  type QueryParameters,
} from '../harness/authorization.ts';
import {
  decide,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import {
  listAuditDetails,
  findGrant,
  INVALID_GRANT,
  getToolStatus,
  getStatusAndError,
  UNLIMITED,
} from './attack.ts';

for (const engine of JOURNEY_ENGINES) {
  describe(`revocation: ${engine}`, () => {
    let service: TestService;
    let flow: Flow;
    before(async () => {
      service = await startTestService({ engine, environment: UNLIMITED });
      flow = await newFlow(service);
    });
    after(() => service.stop());

    const revoke = (form: QueryParameters): Promise<HttpResponse> =>
      postForm(service, '/oauth/revoke', { client_id: flow.client.client_id as string, ...form });

    function isDone(answer: HttpResponse): void {
      assert.deepEqual([answer.status, answer.body], [200, { success: true }]);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
    }
    async function lives(tokens: HttpResponse['body']): Promise<void> {
      assert.equal((await findGrant(service, tokens.access_token)).revoked_because, null);
      assert.equal(await getToolStatus(service, tokens.access_token), 200);
    }
    async function isDead(tokens: HttpResponse['body']): Promise<void> {
      assert.equal((await findGrant(service, tokens.access_token)).revoked_because, 'client');
      assert.equal(await getToolStatus(service, tokens.access_token), 401);
      const again = await refresh(service, flow.client.client_id as string, tokens.refresh_token as string);
      assert.deepEqual(getStatusAndError(again), INVALID_GRANT);
    }

    for (const kind of ['access_token', 'refresh_token'] as const) {
      for (const hint of [undefined, 'access_token', 'refresh_token', 'id_token', 'nonsense', '']) {
        it(`case 63: of the ${kind} under the hint ${JSON.stringify(hint)} ends both, once`, async () => {
          const tokens = await obtainTokens(service, flow);
          const before = (await listAuditDetails(service, 'oauth.grant_revoked')).length;
          isDone(await revoke({ token: tokens[kind] as string, token_type_hint: hint }));
          await isDead(tokens);
          isDone(await revoke({ token: tokens[kind] as string, token_type_hint: hint }));
          const other = kind === 'access_token' ? 'refresh_token' : 'access_token';
          isDone(await revoke({ token: tokens[other] as string }));
          assert.deepEqual((await listAuditDetails(service, 'oauth.grant_revoked')).slice(before), [
            { because: 'client' },
          ]);
        });
      }

      it(`case 63: of another client’s ${kind} is answered alike and does nothing`, async () => {
        const tokens = await obtainTokens(service, flow);
        const stranger = (await registerClient(service)).client_id as string;
        isDone(await revoke({ token: tokens[kind] as string, client_id: stranger }));
        isDone(
          await revoke({ token: tokens[kind] as string, client_id: 'https://agent.example/client.json' }),
        );
        await lives(tokens);
      });

      it(`case 63: of the ${kind} by nobody, or by a client that does not exist, does nothing`, async () => {
        const tokens = await obtainTokens(service, flow);
        const token = tokens[kind] as string;
        assert.deepEqual(getStatusAndError(await revoke({ token, client_id: undefined })), [
          400,
          'invalid_request',
        ]);
        assert.deepEqual(getStatusAndError(await revoke({ token, client_id: '' })), [400, 'invalid_request']);
        for (const client_id of [
          'unknown',
          '00000000-0000-4000-8000-000000000000',
          (flow.client.client_id as string).toUpperCase(),
        ]) {
          assert.deepEqual(getStatusAndError(await revoke({ token, client_id })), [401, 'invalid_client']);
        }
        await lives(tokens);
      });
    }

    it('case 63: of a replaced refresh token ends the grant', async () => {
      const tokens = await obtainTokens(service, flow);
      const next = (await refresh(service, flow.client.client_id as string, tokens.refresh_token as string))
        .body;
      isDone(await revoke({ token: tokens.refresh_token as string }));
      await isDead(next);
    });

    it('case 63: of an access token whose hour is over ends the grant', async () => {
      const own = await newFlow(service);
      const tokens = await obtainTokens(service, own);
      service.clock.advance(2 * 3600 * 1000);
      const id = own.client.client_id as string;
      isDone(await revoke({ token: tokens.access_token as string, client_id: id }));
      assert.deepEqual(
        getStatusAndError(await refresh(service, id, tokens.refresh_token as string)),
        INVALID_GRANT,
      );
      flow = await newFlow(service);
    });

    describe('after the consent was withdrawn', () => {
      const clientId = (own: Flow): string => own.client.client_id as string;
      const listTools = async (token: unknown): Promise<number> =>
        (await callMcp(service, token as string)).status;
      const endings: Readonly<
        Record<string, (own: Flow, tokens: HttpResponse['body'], code: string) => Promise<unknown>>
      > = {
        'the client revokes the access token': (own, { access_token: token }) =>
          revoke({ token: token as string, client_id: clientId(own) }),
        'the client revokes the refresh token': (own, { refresh_token: token }) =>
          revoke({ token: token as string, client_id: clientId(own) }),
        'the code comes again': (own, _tokens, code) => exchangeCode(service, own, code),
        'a replaced refresh token comes again': (own, { former }) =>
          refresh(service, clientId(own), former as string),
        'the patient disconnects the app': ({ browser, patient, client }) =>
          browser.post('/account/consents/disconnect', {
            projectId: patient.projectId,
            clientId: client.client_id,
          }),
      };
      for (const [what, end] of Object.entries(endings))
        it(`case 380: ends the access token when ${what}`, async () => {
          const own = await newFlow(service);
          const code = await obtainCode(own);
          const first = (await exchangeCode(service, own, code)).body;
          const { body } = await refresh(service, clientId(own), first.refresh_token as string);
          await decide(service, own.patient, 'OPTED_OUT');
          assert.deepEqual(
            [await getToolStatus(service, body.access_token), await listTools(body.access_token)],
            [403, 200],
            'with the reason, until then',
          );
          await end(own, { ...body, former: first.refresh_token }, code);
          assert.deepEqual(
            [await getToolStatus(service, body.access_token), await listTools(body.access_token)],
            [401, 401],
          );
        });

      const callSummary = (token: unknown): Promise<HttpResponse> =>
        callMcp(service, token as string, 'tools/call');
      const isInvalidToken = async (token: unknown): Promise<void> => {
        for (const { status, body, headers } of [
          await callSummary(token),
          await callMcp(service, token as string),
        ]) {
          assert.deepEqual([status, body], [401, { error: 'unauthorized' }]);
          assert.match(headers.get('www-authenticate') ?? '', /error="invalid_token"/);
        }
      };

      it('case 391: answers 401 to the access token of before once a consent is in force again', async () => {
        const own = await newFlow(service);
        const { access_token: token } = await obtainTokens(service, own);
        await decide(service, own.patient, 'OPTED_OUT');
        const { status, body, headers } = await callSummary(token);
        assert.deepEqual([status, body], [403, { error: 'Data Access is revoked!' }]);
        assert.equal(headers.get('www-authenticate'), null);
        await decide(service, own.patient, 'OPTED_IN');
        await isInvalidToken(token);
        await decide(service, own.patient, 'OPTED_OUT');
        assert.equal((await callSummary(token)).status, 403);
        assert.equal(await getToolStatus(service, (await obtainTokens(service, own)).access_token), 200);
        await isInvalidToken(token);
      });

      it('case 391: answers 401 to an access token whose grant ended before its consent, 403 where both did', async () => {
        const own = await newFlow(service);
        const { access_token: token } = await obtainTokens(service, own);
        const { sub } = decodeJwt(token as string);
        const now = service.clock.now();
        await service.store.db.query(
          sql`update oauth_grant set expires_at = ${now} where patient_id = ${sub}`,
        );
        await isInvalidToken(token);
        await service.store.db.query(sql`update consent set expires_at = ${now} where patient_id = ${sub}`);
        assert.equal((await callSummary(token)).status, 403);
      });
    });

    it('says of an access token that it ends with its grant, where that is sooner', async () => {
      const tokens = await obtainTokens(service, flow);
      assert.equal(tokens.expires_in, 3600);
      const end = new Date(service.clock.now().getTime() + 600_000);
      const { sub } = decodeJwt(tokens.access_token as string);
      await service.store.db.query(sql`update oauth_grant set expires_at = ${end} where patient_id = ${sub}`);
      const { body } = await refresh(
        service,
        flow.client.client_id as string,
        tokens.refresh_token as string,
      );
      assert.ok(body.expires_in > 500 && body.expires_in <= 600, String(body.expires_in));
      flow = await newFlow(service);
    });

    it('case 63: of one grant leaves the patient’s others alone', async () => {
      const [one, other] = [await obtainTokens(service, flow), await obtainTokens(service, flow)];
      isDone(await revoke({ token: one.refresh_token as string }));
      await isDead(one);
      await lives(other);
    });

    it('case 63: of what is no token of a grant is answered alike and does nothing', async () => {
      const tokens = await obtainTokens(service, flow);
      const [head = '', body = '', signature = ''] = (tokens.access_token as string).split('.');
      const [key = '', content = '', mac = ''] = (tokens.refresh_token as string).split('.');
      const patient = await newTestPatient(service);
      for (const token of [
        'unknown',
        '.',
        '..',
        'a.b.c',
        `${head}.${body}.`,
        `${head}.${body}.${'A'.repeat(signature.length)}`,
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`,
        `${head}.${Buffer.from('null').toString('base64url')}.${signature}`,
        `${head}.${Buffer.from('{"iat":1e300}').toString('base64url')}.${signature}`,
        `${head}.%%%.${signature}`,
        `${key}.${content}.${'A'.repeat(mac.length)}`,
        `${key}.${content}`,
        await obtainCode(flow),
        patient.token,
        await getOrganizationToken(service),
        'x'.repeat(100_000),
        '☃',
      ]) {
        isDone(await revoke({ token }));
      }
      await lives(tokens);
      assert.equal(
        await getToolStatus(service, patient.token),
        200,
        'a token of POST /v1/auth/token has no grant',
      );
    });

    it('case 63: without a token, with one twice, or not as a form is invalid_request', async () => {
      const tokens = await obtainTokens(service, flow);
      const token = tokens.refresh_token as string;
      const clientId = flow.client.client_id as string;
      assert.deepEqual(getStatusAndError(await revoke({})), [400, 'invalid_request']);
      assert.deepEqual(getStatusAndError(await revoke({ token: '' })), [400, 'invalid_request']);
      for (const body of [
        `token=${token}&token=${token}&client_id=${clientId}`,
        `token=${token}&client_id=${clientId}&client_id=${clientId}`,
        `token=${token}&client_id=${clientId}&token_type_hint=a&token_type_hint=b`,
      ]) {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const response = await fetch(`${service.baseUrl}/oauth/revoke`, { method: 'POST', body, headers });
        assert.deepEqual(
          [response.status, ((await response.json()) as { error: string }).error],
          [400, 'invalid_request'],
        );
      }
      for (const [url, type] of [
        [`/oauth/revoke?token=${token}&client_id=${clientId}`, 'application/x-www-form-urlencoded'],
        ['/oauth/revoke', 'application/json'],
      ] as const) {
        const body = type === 'application/json' ? JSON.stringify({ token, client_id: clientId }) : '';
        const response = await fetch(`${service.baseUrl}${url}`, {
          method: 'POST',
          body,
          headers: { 'content-type': type },
        });
        assert.deepEqual(
          [response.status, ((await response.json()) as { error: string }).error],
          [400, 'invalid_request'],
        );
      }
      await lives(tokens);
    });

    it('case 63: twenty times at once is done once', async () => {
      const tokens = await obtainTokens(service, flow);
      const before = (await listAuditDetails(service, 'oauth.grant_revoked')).length;
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => revoke({ token: tokens.refresh_token as string })),
      );
      answers.forEach(isDone);
      await isDead(tokens);
      assert.equal((await listAuditDetails(service, 'oauth.grant_revoked')).length, before + 1);
    });
  });
}
