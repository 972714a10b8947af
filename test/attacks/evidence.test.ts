import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import { EVIDENCE_LIMITS } from '../../contract/oauth/review-draft.ts';
import { purgeDrafts } from '../../server/consent/decisions/draft.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  buildAuthorizePath,
  decideRequest,
  sendRequestScreens,
  newFlow,
  getRequestId,
  createSignedInBrowser,
  type Flow,
} from '../harness/authorization.ts';
import { createPng, buildScreenshot, listIds, sendScreens, type Evidence } from '../harness/evidence.ts';
import { newTestPatient, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import { createTestBrowser } from '../harness/test-browser.ts';
import { UNLIMITED } from './attack.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

const getStatusAndCode = ({ status, body }: HttpResponse): unknown[] => [status, body.code];

const begin = async ({ browser, client, pkce }: Flow): Promise<string> => {
  const attempt = { clientId: client.client_id as string, challenge: pkce.challenge };
  return getRequestId(await browser.get(buildAuthorizePath(attempt)));
};

for (const engine of JOURNEY_ENGINES) {
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
    const listDrafts = ({ patient }: Pick<Flow, 'patient'>): Promise<unknown[]> =>
      service.store.db.query(sql`
        select d.draft_id, d.choices::text as choices, d.changed_at, s.screenshot_id
        from review_draft d left join draft_screenshot s on s.patient_id = d.patient_id and s.draft_id = d.draft_id
        where d.patient_id = ${patient.id} order by s.screenshot_id`);
    const saveChoices = (
      { browser, patient }: Pick<Flow, 'browser' | 'patient'>,
      requestId: string,
      categories: string[],
      changedAt = browser.now(),
    ): Promise<HttpResponse> =>
      browser.post(`/oauth/interaction/${requestId}/draft`, {
        confirmedAs: patient.email,
        changedAt: changedAt.toISOString(),
        choices: { categories, sensitivities: [], duration: '30-days', day: '', representative: null },
      });
    const getSnapshotId = async ({ browser }: Flow, requestId: string): Promise<string> =>
      (await browser.get(`/oauth/interaction/${requestId}`)).body.project.studySnapshotId as string;
    const of = (flow: Flow, pixel: number) =>
      buildScreenshot(flow.browser.now(), { data: createPng(240, 240, () => pixel).toString('base64') });

    it('case 222: is demanded whole of a yes: who decides, and the review that shows what is decided', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const before = await images();
      const send = (screenshots: Evidence[], decision: Record<string, unknown> = {}): Promise<string[]> =>
        sendRequestScreens(flow.browser, requestId, { screenshots, decision });
      const shot = (screen: string): Evidence => ({ ...of(flow, 1), screen });
      const shown = { duration: '30-days', language: 'es', consentDataResourceScopes: ['LABS'] };
      const [identity, review] = await send([shot('who-is-this'), shot('review')], shown);
      assert.ok(identity && review);
      const other = await send([shot('leaving')]);
      for (const [screens, terms] of [
        [undefined, shown],
        [[], shown],
        [[identity], shown],
        [[review], shown],
        [[review, review], shown],
        [[identity, ...other], shown],
        [[identity, NOBODY], shown],
        [[identity, review], { ...shown, duration: '90-days' }],
        [[identity, review], { ...shown, language: 'en' }],
        [[identity, review], { ...shown, consentDataResourceScopes: ['LABS', 'VISITS'] }],
        [[identity, review], { ...shown, consentDataSensitivityScopes: ['NORMAL', 'MENTAL_HEALTH'] }],
        [[identity, review], { ...shown, representative: { name: 'Kim', authority: 'parent' } }],
        [[identity, review], { ...shown, studySnapshotId: await getSnapshotId(flow, requestId) }],
      ] as const) {
        const answer = await decideRequest(flow.browser, requestId, 'grant', { ...terms, screens });
        assert.deepEqual(
          getStatusAndCode(answer),
          [400, 'evidence_required'],
          JSON.stringify([screens, terms]),
        );
      }
      // The picture that another one has replaced is none any more.
      const [later] = await send([shot('review')], shown);
      const replaced = { ...shown, screens: [identity, review] };
      assert.deepEqual(getStatusAndCode(await decideRequest(flow.browser, requestId, 'grant', replaced)), [
        400,
        'evidence_required',
      ]);
      assert.equal((await flow.browser.get(`/oauth/interaction/${requestId}`)).body.status, 'pending');
      assert.deepEqual(await images(), before);
      const whole = { ...shown, screens: [identity, later] };
      assert.equal((await decideRequest(flow.browser, requestId, 'grant', whole)).status, 200);
      assert.equal((await images()).length, before.length + 2);
    });

    it('case 223: that was taken of another build of the page is none', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const screens = await sendRequestScreens(flow.browser, requestId);
      await service.store.db.query(sql`
        update draft_screenshot set ui_hash = 'older' where patient_id = ${flow.patient.id}`);
      const { body } = await flow.browser.get(`/oauth/interaction/${requestId}`);
      assert.deepEqual(body.draft.screens, []);
      const answer = await decideRequest(flow.browser, requestId, 'grant', { screens });
      assert.deepEqual(getStatusAndCode(answer), [400, 'evidence_required']);
    });

    it('that is none of images is refused, and the draft holds nothing of it', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const good = of(flow, 1);
      const base = { ...good, confirmedAs: flow.patient.email };
      for (const [picture, path] of [
        [{ ...base, contentType: 'image/svg+xml' }, 'contentType'],
        [{ ...base, data: Buffer.from('<svg/>').toString('base64') }, 'data'],
        [{ ...base, data: 'not base64!' }, 'data'],
        [{ ...base, data: `data:image/png;base64,${good.data}` }, 'data'],
        [{ ...base, screen: '<script>' }, 'screen'],
        [{ ...base, takenAt: 'now' }, 'takenAt'],
        [{ ...base, shown: { duration: 'forever' } }, 'shown.duration'],
        [good, 'confirmedAs'],
      ] as const) {
        const answer = await flow.browser.post(`/oauth/interaction/${requestId}/screens`, picture);
        assert.deepEqual(getStatusAndCode(answer), [400, 'invalid_input']);
        assert.equal(answer.body.errors[0].path, path);
      }
      assert.equal((await flow.browser.get(`/oauth/interaction/${requestId}`)).body.draft, null);
    });

    it('case 225: that is too much is refused: a picture, their number, and all of them together', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const send = async (screen: string, data: Buffer): Promise<HttpResponse> => {
        const [answer] = await sendScreens(flow.browser, `/oauth/interaction/${requestId}/screens`, {
          screenshots: [{ ...of(flow, 1), screen, data: data.toString('base64') }],
        });
        assert.ok(answer);
        return answer;
      };
      const noise = createPng(800, 650, () => randomInt(256));
      assert.ok(noise.length > 1_500_000 && noise.length < 1_600_000);
      const large = await send('a', Buffer.alloc(EVIDENCE_LIMITS.bytes + 3));
      assert.deepEqual(getStatusAndCode(large), [400, 'invalid_input']);
      assert.deepEqual(getStatusAndCode(await send('a', Buffer.alloc(2_500_000))), [413, 'body_too_large']);
      for (const screen of ['a', 'b', 'c', 'd', 'd']) assert.equal((await send(screen, noise)).status, 200);
      assert.match((await send('e', noise)).body.detail as string, /6291456 bytes in all/);
      const small = createPng();
      for (const screen of ['e', 'f', 'g', 'h', 'h']) assert.equal((await send(screen, small)).status, 200);
      assert.match((await send('i', small)).body.detail as string, /at most 8/);
      const { body } = await flow.browser.get(`/oauth/interaction/${requestId}`);
      assert.equal(body.draft.screens.length, 8);
      const wide = createPng(1000, 35_000);
      for (const screen of ['a', 'b']) assert.equal((await send(screen, wide)).status, 200);
      assert.match((await send('c', wide)).body.detail as string, /100 million pixels in all/);
    });

    it('case 225: of more drafts than a person can have is that of the newest', async () => {
      const flow = await newFlow(service);
      const requests: string[] = [];
      for (let begun = 0; begun < 10; begun++) {
        service.clock.advance(1000);
        requests.push(await begin(flow));
        await sendRequestScreens(flow.browser, requests.at(-1) ?? '');
      }
      const held = await service.store.db.query(sql<{ drafts: number; pictures: number }>`
        select (select count(*)::int from review_draft where patient_id = ${flow.patient.id}) as drafts,
          (select count(*)::int from draft_screenshot where patient_id = ${flow.patient.id}) as pictures`);
      assert.deepEqual(held, [{ drafts: 8, pictures: 16 }]);
      assert.equal((await flow.browser.get(`/oauth/interaction/${requests[0]}`)).body.draft, null);
      assert.equal(
        (await flow.browser.get(`/oauth/interaction/${requests[9]}`)).body.draft.screens.length,
        2,
      );
    });

    it('goes with a no, of which nothing is kept', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const before = await images();
      const screens = await sendRequestScreens(flow.browser, requestId);
      const answer = await decideRequest(flow.browser, requestId, 'deny', { screens });
      assert.deepEqual([answer.status, answer.body], [200, { status: 'denied' }]);
      assert.deepEqual(await images(), before);
      assert.deepEqual(await listDrafts(flow), []);
    });

    it('case 224: of the first decision stays when another is sent after it, whatever that holds', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const screens = await sendRequestScreens(flow.browser, requestId);
      assert.equal((await decideRequest(flow.browser, requestId, 'grant', { screens })).status, 200);
      assert.deepEqual(await listDrafts(flow), []);
      const before = await images();
      for (const named of [screens, [], [NOBODY]]) {
        const answer = await decideRequest(flow.browser, requestId, 'grant', { screens: named });
        assert.deepEqual(getStatusAndCode(answer), [409, 'already_decided']);
      }
      for (const answer of await sendScreens(flow.browser, `/oauth/interaction/${requestId}/screens`))
        assert.deepEqual(getStatusAndCode(answer), [409, 'already_decided']);
      assert.deepEqual(await images(), before);
      assert.deepEqual(await listDrafts(flow), []);
    });

    it('case 224: ends with its request, and is purged', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const screens = await sendRequestScreens(flow.browser, requestId);
      service.clock.advance(3600_000);
      const { email, password } = flow.patient;
      await flow.browser.post('/account/sign-in', { email, password });
      const [late] = await sendScreens(flow.browser, `/oauth/interaction/${requestId}/screens`);
      assert.deepEqual(late && getStatusAndCode(late), [410, 'request_expired']);
      assert.equal((await decideRequest(flow.browser, requestId, 'grant', { screens })).status, 410);
      await purgeDrafts({ db: service.store.db, clock: service.clock });
      assert.deepEqual(await listDrafts(flow), []);
    });

    it('case 226: of the same decision sent ten times is kept once, and each answered alike', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const more = {
        screens: await sendRequestScreens(flow.browser, requestId),
        decisionKey: randomUUID(),
      };
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => decideRequest(flow.browser, requestId, 'grant', more)),
      );
      for (const { status, body } of answers) assert.deepEqual([status, body], [200, { status: 'ready' }]);
      const kept = await service.store.db.query(
        sql`select s.screen from consent_screenshot s join consent_record r using (patient_id, consent_record_id)
          where s.patient_id = ${flow.patient.id} order by ordinal`,
      );
      assert.deepEqual(kept, [{ screen: 'who-is-this' }, { screen: 'review' }]);
      // Neither another decision nor another person's is taken for it.
      for (const changed of [{ decisionKey: randomUUID() }, { decisionKey: undefined }])
        assert.deepEqual(
          getStatusAndCode(await decideRequest(flow.browser, requestId, 'grant', { ...more, ...changed })),
          [409, 'already_decided'],
        );
      assert.equal((await decideRequest(flow.browser, requestId, 'deny', more)).status, 409);
      const other = await newTestPatient(service, { consent: false });
      await flow.browser.post('/account/sign-in', { email: other.email, password: other.password });
      assert.equal((await decideRequest(flow.browser, requestId, 'grant', more)).status, 409);
    });

    it('is kept for who is signed in and the request of the path, whatever it says itself', async () => {
      const [flow, other] = [await newFlow(service), await newFlow(service)];
      const [requestId, others] = [await begin(flow), await begin(other)];
      const forged = { patientId: other.patient.id, requestId: others, subject: `request/${others}` };
      const screens = listIds(
        await sendScreens(flow.browser, `/oauth/interaction/${requestId}/screens`, {
          fields: { ...forged, id: NOBODY, screenshotId: NOBODY, draftId: NOBODY },
        }),
      );
      const answer = await decideRequest(flow.browser, requestId, 'grant', {
        ...forged,
        consentRecordId: NOBODY,
        screens,
      });
      assert.equal(answer.status, 200);
      const kept = (await images()) as {
        patient_id: string;
        screenshot_id: string;
        consent_record_id: string;
      }[];
      assert.equal(kept.filter((image) => image.patient_id === flow.patient.id).length, 2);
      assert.equal(kept.filter((image) => image.patient_id === other.patient.id).length, 0);
      assert.ok(!kept.some((image) => image.screenshot_id === NOBODY || image.consent_record_id === NOBODY));
      assert.equal((await other.browser.get(`/oauth/interaction/${others}`)).body.status, 'pending');
    });

    it('case 220: of another browser is neither read, written nor named', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const screens = await sendRequestScreens(flow.browser, requestId);
      await saveChoices(flow, requestId, ['LABS']);
      const before = await listDrafts(flow);
      // The same person too, signed in elsewhere.
      const elsewhere = await createSignedInBrowser(service, flow.patient);
      const stranger = await createSignedInBrowser(
        service,
        await newTestPatient(service, { consent: false }),
      );
      const url = `/oauth/interaction/${requestId}`;
      for (const browser of [elsewhere, stranger]) {
        for (const answer of [
          await decideRequest(browser, requestId, 'grant', { screens }),
          await decideRequest(browser, requestId, 'grant', { screens: [] }),
          await saveChoices({ browser, patient: flow.patient }, requestId, ['VISITS']),
          await browser.get(url),
          ...(await sendScreens(browser, `${url}/screens`)),
        ])
          assert.deepEqual(getStatusAndCode(answer), [403, 'other_browser']);
      }
      const nobody = createTestBrowser(service);
      for (const answer of [
        await saveChoices({ browser: nobody, patient: flow.patient }, requestId, ['VISITS']),
        ...(await sendScreens(nobody, `${url}/screens`)),
      ])
        assert.equal(answer.status, 401);
      assert.deepEqual(await listDrafts(flow), before);
      // Nor may they be named for a request of their own.
      const mine = { browser: stranger, client: flow.client, pkce: flow.pkce, patient: flow.patient };
      const answer = await decideRequest(stranger, await begin(mine), 'grant', { screens });
      assert.deepEqual(getStatusAndCode(answer), [400, 'evidence_required']);
    });

    it('case 221: of another person in the same browser is theirs alone', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const screens = await sendRequestScreens(flow.browser, requestId);
      await saveChoices(flow, requestId, ['LABS']);
      const before = await listDrafts(flow);
      const other = await newTestPatient(service, { consent: false });
      await flow.browser.post('/account/sign-in', { email: other.email, password: other.password });
      const url = `/oauth/interaction/${requestId}`;
      assert.equal((await flow.browser.get(url)).body.draft, null);
      assert.deepEqual(getStatusAndCode(await saveChoices(flow, requestId, ['VISITS'])), [
        409,
        'person_changed',
      ]);
      const answer = await decideRequest(flow.browser, requestId, 'grant', { screens });
      assert.deepEqual(getStatusAndCode(answer), [400, 'evidence_required']);
      await saveChoices({ ...flow, patient: other }, requestId, ['VISITS']);
      assert.deepEqual(await listDrafts(flow), before);
      const { email, password } = flow.patient;
      await flow.browser.post('/account/sign-in', { email, password });
      assert.deepEqual((await flow.browser.get(url)).body.draft.choices.categories, ['LABS']);
    });

    it('keeps the choices that came last, not those that arrived last', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const now = flow.browser.now().getTime();
      const at = (ms: number): Date => new Date(now + ms);
      assert.equal((await saveChoices(flow, requestId, ['LABS'], at(2000))).status, 200);
      const late = await saveChoices(flow, requestId, ['LABS', 'VISITS'], at(1000));
      assert.deepEqual([late.status, late.body.changedAt], [200, at(2000).toISOString()]);
      const { draft } = (await flow.browser.get(`/oauth/interaction/${requestId}`)).body;
      assert.deepEqual([draft.choices.categories, draft.changedAt], [['LABS'], at(2000).toISOString()]);
    });

    it('of choices that another tab has changed since is refused, until the page has shown the newer ones', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const now = flow.browser.now().getTime();
      const at = (ms: number): Date => new Date(now + ms);
      const decide = (categories: string[] | null, draftChangedAt: Date | null): Promise<HttpResponse> =>
        decideRequest(flow.browser, requestId, 'grant', {
          duration: '30-days',
          consentDataResourceScopes: categories,
          draftChangedAt: draftChangedAt?.toISOString() ?? null,
        });
      await saveChoices(flow, requestId, ['LABS'], at(2000));
      for (const shown of [null, at(1999)]) {
        assert.deepEqual(getStatusAndCode(await decide(null, shown)), [409, 'choices_changed']);
        const { draft, status } = (await flow.browser.get(`/oauth/interaction/${requestId}`)).body;
        assert.deepEqual([status, draft.choices.categories], ['pending', ['LABS']]);
      }
      // The page's own last choice may arrive after its decision.
      assert.equal((await decide(['LABS'], at(2500))).status, 200);
    });

    it('of nobody who is signed in is not looked at', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      await flow.browser.post('/account/sign-out');
      for (const screens of [[], [NOBODY]])
        assert.deepEqual(
          getStatusAndCode(await decideRequest(flow.browser, requestId, 'grant', { screens })),
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
            'content-length: 800000',
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
    for (const json of [{}, { data: 'x'.repeat(12_000_000) }])
      for (const path of ['', '/draft', '/screens'])
        assert.deepEqual(
          getStatusAndCode(await flow.browser.post(`/oauth/interaction/${requestId}${path}`, json, wrong)),
          [403, 'csrf'],
        );
  });
});
