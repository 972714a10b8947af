import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import {
  buildAuthorizePath,
  decideRequest,
  exchangeCode,
  getRedirectParameters,
  getRequestId,
  newFlow,
  obtainTokens,
  REDIRECT_URI,
  type Flow,
} from '../harness/authorization.ts';
import { buildScreenshot } from '../harness/evidence.ts';
import { newTestPatient, setProjectContent, startTestService, type TestService } from '../harness/service.ts';
import { decideEnrollment, newInvited, newStudy, STUDY_CONSENTS } from '../harness/study.ts';
import type { TestBrowser } from '../harness/test-browser.ts';
import { UNLIMITED } from './attack.ts';

const ELSEWHERE = 'https://other.example/callback';
const LABS_ONLY = { consentDataResourceScopes: ['LABS'], consentDataSensitivityScopes: null };
const DAY_MS = 24 * 3600 * 1000;

describe('the short form of a review', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ environment: UNLIMITED });
  });
  after(() => service.stop());

  /** A person who has let an app in, with what they said. */
  async function connect(): Promise<Flow> {
    const flow = await newFlow(service, { redirect_uris: [REDIRECT_URI, ELSEWHERE] });
    await obtainTokens(service, flow);
    return flow;
  }
  const ask = async ({ browser, client, pkce }: Flow, more: Record<string, string> = {}): Promise<string> =>
    getRequestId(
      await browser.get(
        buildAuthorizePath({ clientId: client.client_id as string, challenge: pkce.challenge }, more),
      ),
    );
  const look = async (browser: TestBrowser, requestId: string) =>
    (await browser.get(`/oauth/interaction/${requestId}`)).body;
  /** What the short form sends. */
  async function readTerms(browser: TestBrowser, requestId: string): Promise<Record<string, unknown>> {
    const { previous, project } = await look(browser, requestId);
    return {
      consentDataResourceScopes: previous.grant.consentDataResourceScopes,
      consentDataSensitivityScopes: previous.grant.consentDataSensitivityScopes,
      duration: { until: previous.expiresAt },
      studySnapshotId: project.studySnapshotId,
      replaces: previous.consentRecordId,
    };
  }
  /** Sends a yes of the short form; returns how it was answered. */
  async function decideShort(browser: TestBrowser, requestId: string, terms: object): Promise<unknown> {
    const screenshots = ['who-is-this', 'review-short'].map((screen) =>
      buildScreenshot(browser.now(), { screen }),
    );
    const { status, body } = await decideRequest(browser, requestId, 'grant', { ...terms, screenshots });
    return status === 200 ? status : [status, body.code];
  }
  const REFUSED = [409, 'full_review_required'];

  it('is offered for the same app with nothing changed, and kept with its picture', async () => {
    const flow = await connect();
    const first = await ask(flow);
    assert.equal((await look(flow.browser, first)).shortForm, true);
    const terms = await readTerms(flow.browser, first);
    assert.equal(await decideShort(flow.browser, first, terms), 200);
    const kept = await service.store.db.query(sql`
      select s.screen, r.expires_at from consent_screenshot s join consent_record r using (patient_id, consent_record_id)
      where s.patient_id = ${flow.patient.id} and s.screen = 'review-short'`);
    assert.deepEqual(kept, [
      { screen: 'review-short', expires_at: new Date((terms['duration'] as { until: string }).until) },
    ]);
  });

  it('is offered when the tokens have ended under a consent that has not, with what the app had', async () => {
    const flow = await connect();
    service.clock.advance(91 * DAY_MS);
    const { email, password } = flow.patient;
    await flow.browser.post('/account/sign-in', { email, password });
    const again = await ask(flow);
    const { shortForm, previous } = await look(flow.browser, again);
    assert.deepEqual([shortForm, previous.grant.fullRecordWithoutRestrictedData], [true, true]);
    assert.equal(await decideShort(flow.browser, again, await readTerms(flow.browser, again)), 200);
  });

  it('case 230: is refused where the words of the project or the page have changed meanwhile', async () => {
    const flow = await connect();
    const requestId = await ask(flow);
    const { studySnapshotId, ...terms } = await readTerms(flow.browser, requestId);
    await setProjectContent(service, { en: { title: 'Asthma', purpose: 'To sell it.' } });
    assert.deepEqual(await decideShort(flow.browser, requestId, terms), REFUSED);
    const claimed = { ...terms, studySnapshotId };
    assert.deepEqual(await decideShort(flow.browser, requestId, claimed), [409, 'content_changed']);
    assert.equal((await look(flow.browser, requestId)).shortForm, false);
    const other = await connect();
    await service.store.db.query(sql`
      update consent_record set ui_hash = 'older' where patient_id = ${other.patient.id}`);
    const second = await ask(other);
    assert.equal((await look(other.browser, second)).shortForm, false);
    assert.deepEqual(
      await decideShort(other.browser, second, await readTerms(other.browser, second)),
      REFUSED,
    );
  });

  it('case 231: is refused where the consent was taken back, narrowed or the app disconnected meanwhile', async () => {
    const { projectId } = service.organization;
    const consentType = 'PATIENT_DIRECTED_DATA_EXCHANGE';
    for (const [path, body, code] of [
      ['withdraw', { consentType }, 'consent_changed'],
      ['narrow', { consentType, ...LABS_ONLY }, 'consent_changed'],
      ['disconnect', {}, 'full_review_required'],
    ] as const) {
      const flow = await connect();
      const requestId = await ask(flow);
      const { replaces, ...terms } = await readTerms(flow.browser, requestId);
      const clientId = flow.client.client_id as string;
      const named = path === 'disconnect' ? { projectId, clientId } : { projectId, ...body };
      const changed = await flow.browser.post(`/account/consents/${path}`, named);
      assert.ok(changed.status < 300, JSON.stringify(changed.body));
      assert.deepEqual(await decideShort(flow.browser, requestId, { ...terms, replaces }), [409, code]);
      assert.deepEqual(await decideShort(flow.browser, requestId, terms), REFUSED);
      // What is left of a narrowed consent is what the app has now: that may be said yes to.
      assert.equal((await look(flow.browser, requestId)).shortForm, path === 'narrow');
    }
  });

  it('case 232: is refused to another redirect host, another client of the same name, and who was let in once', async () => {
    const flow = await connect();
    const terms = await readTerms(flow.browser, await ask(flow));
    const impostor = { ...flow, client: (await newFlow(service)).client };
    for (const requestId of [await ask(flow, { redirect_uri: ELSEWHERE }), await ask(impostor)]) {
      assert.equal((await look(flow.browser, requestId)).shortForm, false);
      assert.deepEqual(await decideShort(flow.browser, requestId, terms), REFUSED);
    }
    const once = await newFlow(service);
    const first = await ask(once);
    assert.equal((await decideRequest(once.browser, first, 'grant', { duration: 'once' })).status, 200);
    const { code = '' } = getRedirectParameters(await once.browser.get(`/oauth/complete/${first}`));
    assert.equal((await exchangeCode(service, once, code)).status, 200);
    const again = await ask(once);
    assert.equal((await look(once.browser, again)).shortForm, false);
    assert.deepEqual(await decideShort(once.browser, again, await readTerms(once.browser, again)), REFUSED);
  });

  it('case 233: is refused to another person in the same browser, and to who signs for somebody', async () => {
    const flow = await connect();
    const requestId = await ask(flow);
    const { replaces, ...terms } = await readTerms(flow.browser, requestId);
    const representative = { name: 'Kim Roe', authority: 'parent' };
    assert.deepEqual(await decideShort(flow.browser, requestId, { ...terms, representative }), REFUSED);
    const { email, password } = await newTestPatient(service, { consent: false });
    await flow.browser.post('/account/sign-in', { email, password });
    assert.equal((await look(flow.browser, requestId)).shortForm, false);
    assert.deepEqual(await decideShort(flow.browser, requestId, terms), REFUSED);
    assert.deepEqual(await decideShort(flow.browser, requestId, { ...terms, replaces }), [
      409,
      'consent_changed',
    ]);
  });

  it('case 234: is refused with any other choice than what the app has: wider, longer, or less', async () => {
    const flow = await connect();
    const requestId = await ask(flow);
    const terms = await readTerms(flow.browser, requestId);
    const { until } = terms['duration'] as { until: string };
    service.clock.advance(120_000);
    const later = new Date(Date.parse(until) + 60_000).toISOString();
    for (const choice of [
      { consentDataSensitivityScopes: ['NORMAL', 'MENTAL_HEALTH'] },
      { consentDataResourceScopes: ['LABS'] },
      { duration: { until: later } },
      { duration: '30-days' },
    ])
      assert.deepEqual(await decideShort(flow.browser, requestId, { ...terms, ...choice }), REFUSED);
    // Of a consent that has grown for another app, the short form gives this one no more than it had.
    const { client } = await newFlow(service);
    const second = await ask({ ...flow, client });
    const wider = { consentDataSensitivityScopes: ['NORMAL', 'MENTAL_HEALTH'], duration: terms['duration'] };
    assert.equal((await decideRequest(flow.browser, second, 'grant', wider)).status, 200);
    const now = await readTerms(flow.browser, requestId);
    const { previous, shortForm } = await look(flow.browser, requestId);
    assert.deepEqual([shortForm, previous.consentDataSensitivityScopes], [true, ['NORMAL', 'MENTAL_HEALTH']]);
    const grown = { ...now, consentDataSensitivityScopes: ['NORMAL', 'MENTAL_HEALTH'] };
    assert.deepEqual(await decideShort(flow.browser, requestId, grown), REFUSED);
    assert.equal(await decideShort(flow.browser, requestId, now), 200);
  });

  it('case 235: is none of an organization that asks without an app, and none without the picture of its screen', async () => {
    const flow = await connect();
    const requestId = await ask(flow);
    const terms = await readTerms(flow.browser, requestId);
    const screenshots = [buildScreenshot(flow.browser.now(), { screen: 'review-short' })];
    const { status, body } = await decideRequest(flow.browser, requestId, 'grant', { ...terms, screenshots });
    assert.deepEqual([status, body.code], [400, 'evidence_required']);
    const study = await newStudy(service, STUDY_CONSENTS.slice(0, 1));
    const invited = await newInvited(service, study);
    const shots = ['who-is-this', 'review-short'].map((screen) =>
      buildScreenshot(invited.browser.now(), { screen }),
    );
    const answer = await decideEnrollment(invited, study, { screenshots: shots });
    assert.deepEqual([answer.status, answer.body.code], [400, 'evidence_required']);
  });
});
