import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  buildAuthorizePath,
  callMcp,
  obtainCode,
  decideRequest,
  exchangeCode,
  newFlow,
  createPkce,
  refresh,
  registerClient,
  getRequestId,
  obtainTokens,
  waitUntilReady,
  getRedirectParameters,
  type Flow,
} from '../harness/authorization.ts';
import { createPng, buildScreenshot } from '../harness/evidence.ts';
import {
  call,
  newProject,
  getOrganizationToken,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

const WORDS = { title: 'Sleep study', purpose: 'To learn how people sleep.', benefits: null, risks: 'None.' };
const CONTENT = { en: WORDS, contact: null };
const CHANGED = { en: { ...WORDS, purpose: 'To learn how people wake up.' }, contact: null };

interface ConsentRecordRow {
  consent_data_resource_scopes: string[] | null;
  consent_data_sensitivity_scopes: string[] | null;
  language: string;
  client_id: string;
  client_name: string;
  representative: string | null;
  ui_hash: string;
  decided_at: Date;
  expires_at: Date;
  withheld: number;
  grant_ends: Date;
  refreshable: boolean;
}

for (const engine of JOURNEY_ENGINES) {
  describe(`what a person decides: ${engine}`, () => {
    let service: TestService;
    before(async () => {
      service = await startTestService({ engine, environment: { CHARTGATE_OAUTH_RATE_LIMIT: '1000' } });
    });
    after(() => service.stop());

    const begin = async ({ browser, client, pkce: { challenge } }: Flow, more = {}): Promise<string> =>
      getRequestId(
        await browser.get(buildAuthorizePath({ clientId: client.client_id as string, challenge }, more)),
      );

    const getInteraction = async ({ browser }: Flow, requestId: string): Promise<HttpResponse['body']> =>
      (await browser.get(`/oauth/interaction/${requestId}`)).body;

    const findRecord = ({ patient }: Flow): Promise<ConsentRecordRow> =>
      one(
        service.store.db,
        sql<ConsentRecordRow>`select r.*, c.withheld, g.expires_at as grant_ends, g.refreshable
          from consent c join consent_record r using (patient_id, consent_record_id)
          join oauth_grant g using (patient_id, consent_record_id) where c.patient_id = ${patient.id}`,
      );

    async function decideAndRead(
      more: Record<string, unknown>,
    ): Promise<{ flow: Flow; row: ConsentRecordRow }> {
      const flow = await newFlow(service);
      const answer = await decideRequest(flow.browser, await begin(flow), 'grant', more);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return { flow, row: await findRecord(flow) };
    }

    it('is kept with the screens it was decided on, as they were sent', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      const at = flow.browser.now();
      const images = [createPng(240, 300), createPng(390, 844, (at) => at % 251)] as const;
      const screenshots = [
        buildScreenshot(at, { screen: 'who-is-this', data: images[0].toString('base64') }),
        buildScreenshot(at, { data: images[1].toString('base64') }),
      ];
      const answer = await decideRequest(flow.browser, requestId, 'grant', { screenshots, language: 'es' });
      assert.deepEqual([answer.status, answer.body], [200, { status: 'ready' }]);
      const rows = await service.store.db.query(
        sql`select s.ordinal, s.screen, s.taken_at, s.content_type, s.sha256, s.bytes
          from consent_screenshot s join consent c using (patient_id, consent_record_id)
          where s.patient_id = ${flow.patient.id} order by ordinal`,
      );
      assert.deepEqual(
        rows,
        images.map((bytes, place) => ({
          ordinal: place + 1,
          screen: ['who-is-this', 'review'][place],
          taken_at: at,
          content_type: 'image/png',
          sha256: createHash('sha256').update(bytes).digest(),
          bytes,
        })),
      );
      const row = await findRecord(flow);
      assert.deepEqual(
        [row.language, row.client_id, row.client_name, row.representative],
        ['es', flow.client.client_id, 'Test agent', null],
      );
      assert.match(row.ui_hash, /^[0-9a-f]{64}$/);
    });

    it('leaves out every class that is protected more, unless it was chosen', async () => {
      const { row } = await decideAndRead({});
      assert.deepEqual(
        [row.consent_data_resource_scopes, row.consent_data_sensitivity_scopes],
        [null, ['NORMAL']],
      );
      assert.equal(row.withheld, 0b11111111 << 18);
      const chosen = await decideAndRead({
        consentDataResourceScopes: ['LABS', 'MEDICATIONS'],
        consentDataSensitivityScopes: ['MENTAL_HEALTH', 'NORMAL'],
      });
      assert.deepEqual(chosen.row.consent_data_resource_scopes, ['MEDICATIONS', 'LABS']);
      assert.deepEqual(chosen.row.consent_data_sensitivity_scopes, ['NORMAL', 'MENTAL_HEALTH']);
      const shared = (1 << 1) | (1 << 4) | (1 << 20);
      assert.equal(chosen.row.withheld, (2 ** 26 - 1) & ~shared);
    });

    for (const [what, more] of Object.entries({
      'no category': { consentDataResourceScopes: [] },
      'a category that there is not': { consentDataResourceScopes: ['DREAMS'] },
      'a category twice': { consentDataResourceScopes: ['LABS', 'LABS'] },
      'classes without NORMAL': { consentDataSensitivityScopes: ['MENTAL_HEALTH'] },
      'a duration that there is not': { duration: 'forever' },
      'a day that there is not': { duration: { until: '2026-02-30T00:00:00Z' } },
      'a day that says no zone': { duration: { until: '2026-12-30T00:00:00' } },
      'a past day': { duration: { until: '2020-01-01T00:00:00Z' } },
      'a day too far': { duration: { until: '2999-01-01T00:00:00Z' } },
      'another language': { language: 'fr' },
      'a representative without a name': { representative: { name: ' ', authority: 'parent' } },
      'a representative by no authority': { representative: { name: 'Kim', authority: 'friend' } },
    })) {
      it(`is refused for ${what}`, async () => {
        const flow = await newFlow(service);
        const requestId = await begin(flow);
        const answer = await decideRequest(flow.browser, requestId, 'grant', more);
        assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_input']);
        assert.equal((await getInteraction(flow, requestId)).status, 'pending');
      });
    }

    it('may be signed by somebody for the patient, which is kept', async () => {
      const representative = { name: 'Kim Ito', authority: 'parent' };
      const { row } = await decideAndRead({ representative });
      assert.deepEqual(JSON.parse(row.representative ?? ''), representative);
    });

    for (const [duration, days, grantDays] of [
      ['once', 1 / 24, 1 / 24],
      ['30-days', 30, 30],
      ['90-days', 90, 90],
      ['1-year', 365, 90],
      [undefined, 365, 90],
    ] as const) {
      it(`ends ${days} days on for ${duration ?? 'no duration'}, and what the client has after ${grantDays}`, async () => {
        const { row } = await decideAndRead({ duration });
        const ms = (until: Date): number => until.getTime() - row.decided_at.getTime();
        // The end is counted before the images are looked at, the moment of the decision after it.
        assert.ok(Math.abs(ms(row.expires_at) - days * DAY_MS) < 60_000, String(ms(row.expires_at)));
        assert.ok(Math.abs(ms(row.grant_ends) - grantDays * DAY_MS) < 60_000, String(ms(row.grant_ends)));
        assert.equal(row.refreshable, duration !== 'once');
      });
    }

    it('ends with the last day that was named', async () => {
      const day = new Date(service.clock.now().getTime() + 10 * DAY_MS).toISOString().slice(0, 10);
      const { row } = await decideAndRead({ duration: { until: `${day}T00:00:00+14:00` } });
      assert.equal(row.expires_at.getTime(), Date.parse(`${day}T00:00:00Z`) - 14 * 3_600_000);
      assert.deepEqual(row.grant_ends, row.expires_at);
    });

    it('case 500: ends what is given once after an hour for the organization too, and takes nothing from a longer consent', async () => {
      const readEverything = async ({ patient }: Flow): Promise<number> => {
        const path = `/FHIR/R4/Person/${patient.id}/$everything`;
        return (await call(service, path, { token: await getOrganizationToken(service) })).status;
      };
      const [alone, beside] = [await newFlow(service), await newFlow(service)];
      await decideRequest(beside.browser, await begin(beside), 'grant', { duration: '30-days' });
      for (const flow of [alone, beside]) {
        const answer = await decideRequest(flow.browser, await begin(flow), 'grant', { duration: 'once' });
        assert.equal(answer.status, 200);
        assert.equal(await readEverything(flow), 200);
      }
      service.clock.advance(HOUR_MS + 1000);
      assert.deepEqual([await readEverything(alone), await readEverything(beside)], [403, 200]);
    });

    it('lets a client in once: an hour, and nothing to come back with', async () => {
      const flow = await newFlow(service);
      const requestId = await begin(flow);
      await decideRequest(flow.browser, requestId, 'grant', { duration: 'once' });
      await waitUntilReady(flow.browser, requestId);
      const { code } = getRedirectParameters(await flow.browser.get(`/oauth/complete/${requestId}`));
      const { status, body } = await exchangeCode(service, flow, code as string);
      assert.equal(status, 200);
      assert.deepEqual([body.refresh_token, body.scope], [undefined, 'patient/*.read']);
      // The hour began with the decision.
      assert.ok((body.expires_in as number) > 3540 && (body.expires_in as number) <= 3600);
      assert.equal((await callMcp(service, body.access_token as string, 'tools/call')).status, 200);
      service.clock.advance(HOUR_MS + 61_000);
      assert.equal((await callMcp(service, body.access_token as string, 'tools/call')).status, 401);
    });

    it('is about what was shown: when the content changed meanwhile, nothing is stored', async () => {
      const projectId = await newProject(service, 'Sleep', { content: CONTENT });
      const resource = `${service.baseUrl}/projects/${projectId}/mcp`;
      const flow = await newFlow(service);
      const requestId = await begin(flow, { resource });
      const shown = await getInteraction(flow, requestId);
      assert.deepEqual(shown.project.content, CONTENT);
      assert.equal(shown.project.purpose, WORDS.purpose);
      const { studySnapshotId } = shown.project as { studySnapshotId: string };
      const change = await call(
        service,
        `/v1/organizations/${service.organization.organizationId}/projects/${projectId}`,
        {
          method: 'PATCH',
          token: await getOrganizationToken(service),
          json: { content: CHANGED },
        },
      );
      assert.equal(change.status, 200);
      const refused = await decideRequest(flow.browser, requestId, 'grant', { studySnapshotId });
      assert.deepEqual([refused.status, refused.body.code], [409, 'content_changed']);
      const left = await one(
        service.store.db,
        sql`select (select count(*) from consent_record where patient_id = ${flow.patient.id}) as records,
          (select count(*) from consent_screenshot where patient_id = ${flow.patient.id}) as images,
          (select count(*) from enrollment where patient_id = ${flow.patient.id} and project_id = ${projectId}) as enrolled`,
      );
      assert.deepEqual(left, { records: 0, images: 0, enrolled: 0 });
      const again = await getInteraction(flow, requestId);
      assert.deepEqual([again.status, again.project.content], ['pending', CHANGED]);
      const decided = await decideRequest(flow.browser, requestId, 'grant', {
        studySnapshotId: again.project.studySnapshotId,
      });
      assert.equal(decided.status, 200);
      assert.equal(change.body.studySnapshotId, again.project.studySnapshotId);
    });

    it('is shown the next time, with what is different then', async () => {
      const projectId = await newProject(service, 'Sleep', { content: CONTENT });
      const resource = `${service.baseUrl}/projects/${projectId}/mcp`;
      const flow = await newFlow(service);
      const next = async (): Promise<HttpResponse['body']> =>
        (await getInteraction(flow, await begin(flow, { resource }))).previous;
      assert.equal(await next(), null);
      const other = {
        ...flow,
        client: await registerClient(service, { client_name: 'Other agent' }),
        pkce: createPkce(),
      };
      await obtainTokens(service, other, { resource });
      const before = await next();
      assert.deepEqual(
        { ...before, decidedAt: '', expiresAt: '', consentRecordId: '' },
        {
          fullRecordWithoutRestrictedData: true,
          consentDataResourceScopes: null,
          consentDataSensitivityScopes: null,
          decidedAt: '',
          expiresAt: '',
          inForce: true,
          sameContent: true,
          content: null,
          samePage: true,
          consentRecordId: '',
          clients: ['Other agent'],
          grant: null,
        },
      );
      // What its own asks for is no other's.
      await obtainTokens(service, flow, { resource });
      assert.deepEqual((await next()).clients, ['Other agent']);

      await call(service, `/v1/organizations/${service.organization.organizationId}/projects/${projectId}`, {
        method: 'PATCH',
        token: await getOrganizationToken(service),
        json: { content: CHANGED },
      });
      await service.store.db.query(
        sql`update consent_record set ui_hash = 'older' where patient_id = ${flow.patient.id}`,
      );
      const changed = await next();
      assert.deepEqual([changed.sameContent, changed.content, changed.samePage], [false, CONTENT, false]);

      await flow.browser.post('/account/consents/withdraw', { projectId });
      const withdrawn = await next();
      assert.deepEqual([withdrawn.inForce, withdrawn.clients], [false, []]);
      assert.equal(withdrawn.decidedAt, changed.decidedAt);

      await flow.browser.post('/account/sign-out');
      assert.equal(await next(), null);
    });

    it('is no longer in force for the next time once it has ended', async () => {
      const flow = await newFlow(service);
      await obtainCode(flow);
      const { email, password } = flow.patient;
      service.clock.advance(366 * DAY_MS);
      await flow.browser.post('/account/sign-in', { email, password });
      const { previous } = await getInteraction(flow, await begin(flow));
      assert.equal(previous.inForce, false);
      assert.deepEqual(previous.clients, []);
    });

    it('says of a client when it registered', async () => {
      const flow = await newFlow(service);
      const registered = await one(
        service.store.db,
        sql<{
          at: Date;
        }>`select issued_at as at from oauth_client where client_id = ${flow.client.client_id}`,
      );
      const { client } = await getInteraction(flow, await begin(flow));
      assert.equal(client.registeredAt, registered.at.toISOString());
    });

    it('lets other clients go on under the newer decision, by what that covers', async () => {
      const flow = await newFlow(service);
      const { refresh_token: token } = await obtainTokens(service, flow);
      const other = { ...flow, client: await registerClient(service), pkce: createPkce() };
      await decideRequest(other.browser, await begin(other), 'grant', { duration: '30-days' });
      const clientId = flow.client.client_id as string;
      assert.equal((await refresh(service, clientId, token as string)).status, 200);
    });
  });
}
