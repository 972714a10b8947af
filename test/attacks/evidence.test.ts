import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import { EVIDENCE_LIMITS } from '../../contract/oauth/interaction.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  buildAuthorizePath,
  decideRequest,
  newFlow,
  getRequestId,
  createSignedInBrowser,
  type Flow,
} from '../harness/authorization.ts';
import { createPng, buildScreenshot, buildGrantDecision } from '../harness/evidence.ts';
import { newTestPatient, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { ENGINES } from '../harness/store.ts';
import { createTestBrowser } from '../harness/test-browser.ts';
import { UNLIMITED } from './attack.ts';

const getStatusAndCode = ({ status, body }: HttpResponse): unknown[] => [status, body.code];

const begin = async ({ browser, client, pkce }: Flow): Promise<string> => {
  const attempt = { clientId: client.client_id as string, challenge: pkce.challenge };
  return getRequestId(await browser.get(buildAuthorizePath(attempt)));
};

for (const engine of ENGINES) {
  describe(`the evidence of a decision: ${engine}`, () => {
    let service: TestService;
    before(async () => {
      service = await startTestService({ engine, environment: UNLIMITED });
    });
    after(() => service.stop());

    const images = (): Promise<unknown[]> =>
      service.store.db.query(
        sql`select consent_record_id, screenshot_id, patient_id, screen, bytes from consent_screenshot order by screenshot_id`,
      );
    const of = (flow: Flow, pixel: number) =>
      buildScreenshot(flow.browser.now(), { data: createPng(240, 240, () => pixel).toString('base64') });

    it('is demanded of a yes, the review among it, and nothing is decided without', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const before = await images();
      for (const screenshots of [undefined, [], [{ ...of(flow, 1), screen: 'who' }]]) {
        const answer = await decideRequest(flow.browser, requestId, 'grant', { screenshots });
        assert.deepEqual(getStatusAndCode(answer), [400, 'evidence_required']);
      }
      assert.equal((await flow.browser.get(`/oauth/interaction/${requestId}`)).body.status, 'pending');
      assert.deepEqual(await images(), before);
    });

    it('that is none of images is refused, and the request waits on', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const before = await images();
      const good = of(flow, 1);
      for (const [screenshots, path] of [
        [[good, { ...good, contentType: 'image/svg+xml' }], 'screenshots[1].contentType'],
        [[good, { ...good, data: Buffer.from('<svg/>').toString('base64') }], 'screenshots[1]'],
        [[good, { ...good, data: 'not base64!' }], 'screenshots[1].data'],
        [[good, { ...good, data: `data:image/png;base64,${good.data}` }], 'screenshots[1].data'],
        [[good, { ...good, screen: '<script>' }], 'screenshots[1].screen'],
        [[good, { ...good, takenAt: 'now' }], 'screenshots[1].takenAt'],
        [Array.from({ length: 9 }, () => good), 'screenshots'],
        ['x', 'screenshots'],
      ] as const) {
        const answer = await decideRequest(flow.browser, requestId, 'grant', { screenshots });
        assert.deepEqual(getStatusAndCode(answer), [400, 'invalid_input']);
        assert.equal(answer.body.errors[0].path, path);
      }
      assert.equal((await flow.browser.get(`/oauth/interaction/${requestId}`)).body.status, 'pending');
      assert.deepEqual(await images(), before);
    });

    it('that is too large is refused with 413, or with the size that it may have', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const bytes = (size: number) => ({ ...of(flow, 1), data: Buffer.alloc(size).toString('base64') });
      const one = await decideRequest(flow.browser, requestId, 'grant', {
        screenshots: [bytes(EVIDENCE_LIMITS.bytes + 3)],
      });
      assert.deepEqual(getStatusAndCode(one), [400, 'invalid_input']);
      const all = await decideRequest(flow.browser, requestId, 'grant', {
        screenshots: Array.from({ length: 4 }, () => bytes(1_600_000)),
      });
      assert.deepEqual(getStatusAndCode(all), [400, 'invalid_input']);
      assert.match(all.body.detail as string, /6291456 bytes in all/);
      const body = await decideRequest(flow.browser, requestId, 'grant', {
        screenshots: Array.from({ length: 8 }, () => bytes(EVIDENCE_LIMITS.bytes)),
      });
      assert.deepEqual(getStatusAndCode(body), [413, 'body_too_large']);
    });

    it('is ignored with a no', async () => {
      const flow = await newFlow(service);
      const before = await images();
      const data = Buffer.from('no image').toString('base64');
      const answer = await decideRequest(flow.browser, await begin(flow), 'deny', {
        screenshots: [of(flow, 1), { ...of(flow, 1), data }],
      });
      assert.deepEqual([answer.status, answer.body], [200, { status: 'denied' }]);
      assert.deepEqual(await images(), before);
    });

    it('of the first decision stays when another is sent after it, whatever that holds', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      assert.equal(
        (await decideRequest(flow.browser, requestId, 'grant', { screenshots: [of(flow, 1)] })).status,
        200,
      );
      const before = await images();
      for (const screenshots of [[of(flow, 2)], [], [{ ...of(flow, 1), data: 'AAAA' }]]) {
        const answer = await decideRequest(flow.browser, requestId, 'grant', { screenshots });
        assert.deepEqual(getStatusAndCode(answer), [409, 'already_decided']);
      }
      assert.deepEqual(await images(), before);
    });

    it('of ten equal decisions at once is kept exactly once', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const screenshots = [{ ...of(flow, 1), screen: 'who' }, of(flow, 2)];
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => decideRequest(flow.browser, requestId, 'grant', { screenshots })),
      );
      const statuses = answers.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 200).length, 1);
      assert.equal(statuses.filter((status) => status === 409).length, 9);
      const kept = await service.store.db.query(
        sql`select s.screen from consent_screenshot s join consent_record r using (patient_id, consent_record_id)
          where s.patient_id = ${flow.patient.id} order by ordinal`,
      );
      assert.deepEqual(kept, [{ screen: 'who' }, { screen: 'review' }]);
    });

    it('is kept for who is signed in and the request of the path, whatever it says itself', async () => {
      const [flow, other] = [await newFlow(service), await newFlow(service)];
      const [requestId, others] = [await begin(flow), await begin(other)];
      const id = '00000000-0000-4000-8000-000000000000';
      const answer = await decideRequest(flow.browser, requestId, 'grant', {
        patientId: other.patient.id,
        requestId: others,
        consentRecordId: id,
        screenshots: [
          { ...of(flow, 1), id, screenshotId: id, patientId: other.patient.id, requestId: others },
        ],
      });
      assert.equal(answer.status, 200);
      const kept = (await images()) as {
        patient_id: string;
        screenshot_id: string;
        consent_record_id: string;
      }[];
      assert.equal(kept.filter((image) => image.patient_id === flow.patient.id).length, 1);
      assert.equal(kept.filter((image) => image.patient_id === other.patient.id).length, 0);
      assert.ok(!kept.some((image) => image.screenshot_id === id || image.consent_record_id === id));
      assert.equal((await other.browser.get(`/oauth/interaction/${others}`)).body.status, 'pending');
    });

    it('of another browser is not looked at', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const before = await images();
      const stranger = await createSignedInBrowser(
        service,
        await newTestPatient(service, { consent: false }),
      );
      for (const browser of [stranger, createTestBrowser(service)]) {
        const good = await decideRequest(browser, requestId, 'grant');
        const bad = await decideRequest(browser, requestId, 'grant', { screenshots: [] });
        for (const answer of [good, bad]) assert.deepEqual(getStatusAndCode(answer), [403, 'other_browser']);
      }
      assert.deepEqual(await images(), before);
    });

    it('of nobody who is signed in is not looked at', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      await flow.browser.post('/account/sign-out');
      for (const screenshots of [[], [of(flow, 1)]])
        assert.deepEqual(
          getStatusAndCode(await decideRequest(flow.browser, requestId, 'grant', { screenshots })),
          [401, 'not_signed_in'],
        );
    });
  });
}

describe('a decision that our own page did not send', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ environment: UNLIMITED });
  });
  after(() => service.stop());

  /** Announces a body and sends none of it; answers what comes before the body is waited for. */
  function announce(requestId: string, headers: readonly string[]): Promise<string> {
    const { hostname, port, host } = new URL(service.baseUrl);
    return new Promise((resolve, reject) => {
      const socket = net.connect(Number(port), hostname, () =>
        socket.write(
          [
            `POST /oauth/interaction/${requestId} HTTP/1.1`,
            `host: ${host}`,
            'content-type: application/json',
            'content-length: 8000000',
            ...headers,
            '\r\n',
          ].join('\r\n'),
        ),
      );
      let answer = '';
      socket.once('error', reject);
      socket.once('close', () => resolve(answer));
      socket.on('data', (part) => {
        answer += String(part);
        if (answer.includes('\r\n\r\n')) socket.destroy();
      });
    });
  }

  it('is refused before its body is read, and given one cookie at most', async () => {
    const flow = await newFlow(service);
    const requestId = await begin(flow);
    const cookie = `cookie: ${[...flow.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`;
    const proof = `x-csrf-token: ${await flow.browser.csrfToken()}`;
    for (const headers of [
      [],
      [cookie],
      [proof],
      [cookie, 'x-csrf-token: x'],
      [cookie, proof, 'origin: https://evil.example'],
      [cookie, proof, 'sec-fetch-site: cross-site'],
    ]) {
      const answer = await announce(requestId, headers);
      assert.match(answer, /^HTTP\/1\.1 403 /);
      const cookies = [...answer.matchAll(/^set-cookie: /gim)].length;
      assert.equal(cookies, headers.includes(cookie) ? 0 : 1);
    }
    assert.equal((await flow.browser.get(`/oauth/interaction/${requestId}`)).body.status, 'pending');
  });

  it('is refused for it before its content or its size is looked at', async () => {
    const flow = await newFlow(service);
    const requestId = await begin(flow);
    const wrong = { 'x-csrf-token': 'x' };
    const large = buildGrantDecision(flow.browser.now(), { screenshots: 'x'.repeat(12_000_000) });
    for (const json of [{}, large])
      assert.deepEqual(
        getStatusAndCode(await flow.browser.post(`/oauth/interaction/${requestId}`, json, wrong)),
        [403, 'csrf'],
      );
  });
});
