import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createHmac } from 'node:crypto';
import {
  createRefreshTokenKeys,
  rotateRefreshTokenKey,
} from '../../server/surfaces/oauth/tokens/refresh-token-keys.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  callMcp,
  obtainCode,
  exchangeCode,
  postForm,
  newFlow,
  refresh,
  registerClient,
  createSignedInBrowser,
  obtainTokens,
  type Flow,
} from '../harness/authorization.ts';
import {
  call,
  getOrganizationToken,
  decide,
  newProject,
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

const DAY = 24 * 3600 * 1000;

for (const engine of JOURNEY_ENGINES) {
  describe(`a refresh token: ${engine}`, () => {
    let service: TestService;
    let flow: Flow;
    before(async () => {
      service = await startTestService({ engine, environment: UNLIMITED });
      flow = await newFlow(service);
    });
    // Time passes here, and sessions with it.
    beforeEach(async () => {
      flow = { ...flow, browser: await createSignedInBrowser(service, flow.patient) };
    });
    after(() => service.stop());

    const clientId = (): string => flow.client.client_id as string;
    const again = (
      token: unknown,
      more: Record<string, string> = {},
      client = clientId(),
    ): Promise<HttpResponse> => refresh(service, client, token as string, more);

    async function isAsItWas(tokens: HttpResponse['body']): Promise<void> {
      assert.deepEqual(await findGrant(service, tokens.access_token), {
        generation: 1,
        revoked_because: null,
      });
      const next = await again(tokens.refresh_token);
      assert.equal(next.status, 200, JSON.stringify(next.body));
      assert.equal(await getToolStatus(service, next.body.access_token), 200);
    }

    it('case 50: of another client is invalid_grant, and is not replaced', async () => {
      const tokens = await obtainTokens(service, flow);
      const other = await registerClient(service);
      for (const more of [{}, { scope: 'patient/*.read' }, { resource: `${service.baseUrl}/mcp` }]) {
        assert.deepEqual(
          getStatusAndError(await again(tokens.refresh_token, more, other.client_id as string)),
          INVALID_GRANT,
        );
      }
      const unknown = await again(tokens.refresh_token, {}, '00000000-0000-4000-8000-000000000000');
      assert.deepEqual(getStatusAndError(unknown), [401, 'invalid_client']);
      await isAsItWas(tokens);
    });

    it('case 50: that was replaced does not let another client end the grant', async () => {
      const tokens = await obtainTokens(service, flow);
      const next = await again(tokens.refresh_token);
      const other = await registerClient(service);
      assert.deepEqual(
        getStatusAndError(await again(tokens.refresh_token, {}, other.client_id as string)),
        INVALID_GRANT,
      );
      assert.deepEqual(getStatusAndError(await again(tokens.refresh_token, {}, 'nobody')), [
        401,
        'invalid_client',
      ]);
      assert.equal((await findGrant(service, next.body.access_token)).revoked_because, null);
      assert.equal((await again(next.body.refresh_token)).status, 200);
    });

    it('case 51: that we did not make is invalid_grant, and ends nothing', async () => {
      const tokens = await obtainTokens(service, flow);
      const good = tokens.refresh_token as string;
      const [keyId = '', content = '', mac = ''] = good.split('.');
      const bytes = Buffer.from(content, 'base64url');
      const withGeneration = (generation: number): string => {
        const changed = Buffer.from(bytes);
        changed.writeUInt32BE(generation, 32);
        return changed.toString('base64url');
      };
      const swapped = Buffer.concat([bytes.subarray(16, 32), bytes.subarray(0, 16), bytes.subarray(32)]);
      const flipped = (text: string, at: number): string => {
        const letter = text.at(at) === 'A' ? 'B' : 'A';
        const position = at < 0 ? text.length + at : at;
        return text.slice(0, position) + letter + text.slice(position + 1);
      };
      // The last of 43 letters has two bits that no byte has: other spellings of the same MAC.
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const last = alphabet.indexOf(mac.at(-1) as string);
      const respelled = [1, 2, 3].map((bits) => mac.slice(0, -1) + alphabet[last ^ bits]);
      const foreign = createHmac('sha256', 'another key').update(`${keyId}.${content}`).digest('base64url');
      const forgeries: Record<string, string> = {
        'a changed MAC, first letter': `${keyId}.${content}.${flipped(mac, 0)}`,
        'a changed MAC, last letter': `${keyId}.${content}.${flipped(mac, -2)}`,
        'a MAC of zeros': `${keyId}.${content}.${'A'.repeat(43)}`,
        'no MAC': `${keyId}.${content}.`,
        'a MAC cut short': good.slice(0, -1),
        'a MAC cut in half': good.slice(0, -20),
        'a MAC and more': `${good}A`,
        'a MAC with a sign of base64': `${keyId}.${content}.${mac.slice(0, -1)}=`,
        'a MAC by another key': `${keyId}.${content}.${foreign}`,
        'a MAC by an empty key': `${keyId}.${content}.${createHmac('sha256', '').update(`${keyId}.${content}`).digest('base64url')}`,
        'the next generation': `${keyId}.${withGeneration(2)}.${mac}`,
        'the one after': `${keyId}.${withGeneration(3)}.${mac}`,
        'the generation before': `${keyId}.${withGeneration(0)}.${mac}`,
        'the greatest generation': `${keyId}.${withGeneration(0xffffffff)}.${mac}`,
        'a generation that is negative as an integer': `${keyId}.${withGeneration(0x80000000)}.${mac}`,
        'patient and grant exchanged': `${keyId}.${swapped.toString('base64url')}.${mac}`,
        'another key id': `${flipped(keyId, 0)}.${content}.${mac}`,
        'no key id': `.${content}.${mac}`,
        'SQL for a key id': `' or 1=1.${content}.${mac}`,
        'a prototype for a key id': `__proto_.${content}.${mac}`,
        'its content alone': content,
        'nothing but dots': '..',
        'an access token': tokens.access_token as string,
        'a code': `cgc_${'A'.repeat(43)}`,
        'spaces around': ` ${good} `,
        'a line end': `${good}\n`,
        '64 kB': 'x'.repeat(64_000),
        ...Object.fromEntries(
          respelled.map((text, bits) => [`spelling ${bits + 1} of the MAC`, `${keyId}.${content}.${text}`]),
        ),
      };
      for (const [what, token] of Object.entries(forgeries)) {
        assert.deepEqual(getStatusAndError(await again(token)), INVALID_GRANT, what);
      }
      assert.deepEqual(getStatusAndError(await again('')), [400, 'invalid_request']);
      await isAsItWas(tokens);
    });

    it('case 51: of a generation that our own key makes up ends nothing but what it names', async () => {
      const tokens = await obtainTokens(service, flow);
      const [keyId = '', content = ''] = (tokens.refresh_token as string).split('.');
      const { secret } = await one(
        service.store.db,
        sql<{ secret: Buffer }>`select secret from refresh_token_key where key_id = ${keyId}`,
      );
      const sealed = (generation: number): string => {
        const changed = Buffer.from(content, 'base64url');
        changed.writeUInt32BE(generation, 32);
        const signed = `${keyId}.${changed.toString('base64url')}`;
        return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
      };
      for (const generation of [2, 3, 1000, 0x7fffffff]) {
        assert.deepEqual(getStatusAndError(await again(sealed(generation))), INVALID_GRANT, `${generation}`);
      }
      await isAsItWas(tokens);
    });

    for (const [what, back] of [
      ['just replaced', 1],
      ['replaced two refreshes ago', 2],
      ['replaced five refreshes ago', 5],
    ] as const) {
      it(`case 52: that was ${what} is invalid_grant, ends the grant, and is in the audit log`, async () => {
        const chain = [await obtainTokens(service, flow)];
        for (let count = 0; count < back; count++) chain.push((await again(chain.at(-1).refresh_token)).body);
        const before = (await listAuditDetails(service, 'oauth.grant_revoked')).length;
        assert.deepEqual(getStatusAndError(await again(chain[0].refresh_token)), INVALID_GRANT);
        const newest = chain.at(-1);
        assert.equal((await findGrant(service, newest.access_token)).revoked_because, 'refresh_token_reused');
        assert.deepEqual(getStatusAndError(await again(newest.refresh_token)), INVALID_GRANT);
        for (const { access_token: token } of chain) assert.equal(await getToolStatus(service, token), 401);
        assert.deepEqual(getStatusAndError(await again(chain[0].refresh_token)), INVALID_GRANT);
        const entries = await listAuditDetails(service, 'oauth.grant_revoked');
        assert.deepEqual(entries.slice(before), [{ because: 'refresh_token_reused' }], 'once');
      });
    }

    it('case 52: that comes back long after, or under a new key, is known all the same', async () => {
      const tokens = await obtainTokens(service, flow);
      await rotateRefreshTokenKey({ db: service.store.db, clock: service.clock });
      service.clock.advance(61_000);
      const next = await again(tokens.refresh_token);
      assert.equal(next.status, 200);
      assert.notEqual(
        (next.body.refresh_token as string).split('.')[0],
        (tokens.refresh_token as string).split('.')[0],
      );
      service.clock.advance(29 * DAY);
      assert.deepEqual(getStatusAndError(await again(tokens.refresh_token)), INVALID_GRANT);
      assert.deepEqual(getStatusAndError(await again(next.body.refresh_token)), INVALID_GRANT);
    });

    it('case 336: under a key that another node has just made, is known at once', async () => {
      const node = createRefreshTokenKeys({ db: service.store.db, clock: service.clock });
      await node.current();
      await rotateRefreshTokenKey({ db: service.store.db, clock: service.clock });
      const made = await createRefreshTokenKeys({ db: service.store.db, clock: service.clock }).current();
      assert.deepEqual(await node.find(made.key_id), made.secret);
      assert.equal(await node.find('made up'), null);
    });

    it('case 52: ends its own grant alone', async () => {
      const [one, other] = [await obtainTokens(service, flow), await obtainTokens(service, flow)];
      await again(one.refresh_token);
      assert.deepEqual(getStatusAndError(await again(one.refresh_token)), INVALID_GRANT);
      await isAsItWas(other);
    });

    it('case 54: of a grant that was revoked, by either token, is invalid_grant', async () => {
      for (const kind of ['access_token', 'refresh_token']) {
        const tokens = await obtainTokens(service, flow);
        await postForm(service, '/oauth/revoke', { token: tokens[kind] as string, client_id: clientId() });
        assert.deepEqual(getStatusAndError(await again(tokens.refresh_token)), INVALID_GRANT);
        assert.equal((await findGrant(service, tokens.access_token)).revoked_because, 'client');
      }
    });

    it('case 54: after the consent was withdrawn is invalid_grant, and a later consent brings nothing back', async () => {
      const own = await newFlow(service);
      const id = own.client.client_id as string;
      const tokens = await obtainTokens(service, own);
      await decide(service, own.patient, 'OPTED_OUT');
      assert.deepEqual(getStatusAndError(await again(tokens.refresh_token, {}, id)), INVALID_GRANT);
      await decide(service, own.patient, 'OPTED_IN');
      assert.deepEqual(getStatusAndError(await again(tokens.refresh_token, {}, id)), INVALID_GRANT);
      await obtainCode(own);
      assert.deepEqual(getStatusAndError(await again(tokens.refresh_token, {}, id)), INVALID_GRANT);
      assert.equal((await findGrant(service, tokens.access_token)).revoked_because, 'consent_withdrawn');
    });

    it('case 54: after the consent has ended is invalid_grant', async () => {
      const own = await newFlow(service);
      const id = own.client.client_id as string;
      const tokens = await obtainTokens(service, own);
      const until = new Date(service.clock.now().getTime() + 3 * DAY).toISOString();
      await decide(service, own.patient, 'OPTED_IN', { expirationTimestamp: until });
      service.clock.advance(2 * DAY);
      const next = await again(tokens.refresh_token, {}, id);
      assert.equal(next.status, 200);
      service.clock.advance(DAY);
      assert.deepEqual(getStatusAndError(await again(next.body.refresh_token, {}, id)), INVALID_GRANT);
    });

    it('case 54: that lay idle for thirty days is invalid_grant, a moment before it is good', async () => {
      const [kept, lost] = [await obtainTokens(service, flow), await obtainTokens(service, flow)];
      service.clock.advance(30 * DAY - 60_000);
      const next = await again(kept.refresh_token);
      assert.equal(next.status, 200);
      service.clock.advance(60_000);
      assert.deepEqual(getStatusAndError(await again(lost.refresh_token)), INVALID_GRANT);
      assert.equal((await again(next.body.refresh_token)).status, 200);
    });

    it('case 54: ends ninety days after the consent, however often it is replaced', async () => {
      let token = (await obtainTokens(service, flow)).refresh_token as string;
      for (let month = 0; month < 3; month++) {
        service.clock.advance(29 * DAY);
        const next = await again(token);
        assert.equal(next.status, 200);
        token = next.body.refresh_token as string;
      }
      service.clock.advance(3 * DAY - 60_000);
      const last = await again(token);
      assert.equal(last.status, 200);
      service.clock.advance(60_000);
      assert.deepEqual(getStatusAndError(await again(last.body.refresh_token)), INVALID_GRANT);
    });

    it('case 54: of a patient who is gone is invalid_grant, and the token reads nothing', async () => {
      const own = await newFlow(service);
      const tokens = await obtainTokens(service, own);
      const { organizationId } = service.organization;
      const deleted = await call(
        service,
        `/v1/organizations/${organizationId}/test-patients/${own.patient.id}`,
        {
          method: 'DELETE',
          token: await getOrganizationToken(service),
        },
      );
      assert.equal(deleted.status, 204);
      assert.deepEqual(
        getStatusAndError(await again(tokens.refresh_token, {}, own.client.client_id as string)),
        INVALID_GRANT,
      );
      const { status, body } = await callMcp(service, tokens.access_token as string, 'tools/call');
      assert.ok(status >= 400 || body.error !== undefined, JSON.stringify(body));
    });

    it('case 55: for another resource is invalid_target, and is not replaced', async () => {
      const projectId = await newProject(service);
      const tokens = await obtainTokens(service, flow);
      for (const resource of [
        `${service.baseUrl}/projects/${projectId}/mcp`,
        `${service.baseUrl}/projects/${service.organization.projectId}/mcp`,
        `${service.baseUrl}/v1`,
        `${service.baseUrl}/mcp/evil`,
        `${service.baseUrl}/mcp#part`,
        `${service.baseUrl}/mcp?a=b`,
        'https://evil.example/mcp',
        `${service.baseUrl}@evil.example/mcp`,
        'mcp',
        '*',
      ]) {
        assert.deepEqual(
          getStatusAndError(await again(tokens.refresh_token, { resource })),
          [400, 'invalid_target'],
          resource,
        );
      }
      await isAsItWas(tokens);
      const same = await obtainTokens(service, flow);
      assert.equal((await again(same.refresh_token, { resource: `${service.baseUrl}/mcp` })).status, 200);
    });

    it('case 55: and a code for another resource is invalid_target, and not used up', async () => {
      const projectId = await newProject(service);
      const resource = `${service.baseUrl}/projects/${projectId}/mcp`;
      const code = await obtainCode(flow);
      assert.deepEqual(getStatusAndError(await exchangeCode(service, flow, code, { resource })), [
        400,
        'invalid_target',
      ]);
      assert.deepEqual(
        getStatusAndError(await exchangeCode(service, flow, code, { resource: 'https://evil.example/mcp' })),
        [400, 'invalid_target'],
      );
      assert.equal((await exchangeCode(service, flow, code)).status, 200);
      const own = flow;
      const forProject = await obtainCode(own, { resource });
      const wrong = await exchangeCode(service, own, forProject, { resource: `${service.baseUrl}/mcp` });
      assert.deepEqual(getStatusAndError(wrong), [400, 'invalid_target']);
      const right = await exchangeCode(service, own, forProject);
      assert.equal(right.status, 200);
      const other = await again(right.body.refresh_token, { resource: `${service.baseUrl}/mcp` });
      assert.deepEqual(getStatusAndError(other), [400, 'invalid_target']);
      assert.equal((await again(right.body.refresh_token, { resource })).status, 200);
    });
  });
}
