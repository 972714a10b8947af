import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ResourceScope } from '../../contract/data-categories.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  callMcp,
  newFlow,
  createSignedInBrowser,
  obtainTokens,
  type Flow,
} from '../harness/authorization.ts';
import {
  call,
  callTool,
  decide,
  newProject,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  getToolText,
  upload,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import { createTestBrowser, type TestBrowser } from '../harness/test-browser.ts';

const HOUR_MS = 3_600_000;

const OTHERS = ResourceScope.options.filter((name) => name !== 'ALLERGIES');

const RECORD = createBundle(
  { resourceType: 'Patient', id: 'p', name: [{ family: 'Doe' }] },
  {
    resourceType: 'AllergyIntolerance',
    id: 'a',
    patient: { reference: 'Patient/p' },
    clinicalStatus: { coding: [{ code: 'active' }] },
    code: { text: 'Penicillin' },
  },
);

const getStatusAndCode = ({ status, body }: HttpResponse): unknown[] => [status, body.code];

for (const engine of JOURNEY_ENGINES) {
  describe(`sharing less: ${engine}`, () => {
    let service: TestService;
    let patient: TestPatient;
    let on: TestBrowser;
    before(async () => void (service = await startTestService({ engine })));
    after(() => service.stop());
    beforeEach(async () => {
      patient = await newTestPatient(service);
      on = await createSignedInBrowser(service, patient);
    });

    const narrow = (
      consentDataResourceScopes: readonly string[] | null,
      consentDataSensitivityScopes: readonly string[] | null = null,
    ): Promise<HttpResponse> =>
      on.post('/account/consents/narrow', {
        projectId: patient.projectId,
        consentDataResourceScopes,
        consentDataSensitivityScopes,
      });

    const countInForce = () =>
      one(
        service.store.db,
        sql<{ status: string; expires_at: Date; withheld: number; scopes: string[] | null; flow: string }>`
          select c.consent_status as status, c.expires_at, c.withheld, r.consent_data_resource_scopes as scopes,
            r.consent_ui_flow as flow
          from consent c join consent_record r using (patient_id, consent_record_id) where c.patient_id = ${patient.id}`,
      );

    it('is logged as done by the person, by no program, as is taking back on the page', async () => {
      assert.equal((await narrow(['LABS'])).status, 200);
      assert.equal(
        (await on.post('/account/consents/withdraw', { projectId: patient.projectId })).status,
        204,
      );
      const { results } = (await on.get('/account/access-log')).body;
      const made = results.filter(({ action }: { action: string }) => action === 'consent.recorded');
      // The first was made by API.
      assert.deepEqual(
        made.map(({ client }: { client: { id: string } | null }) => client?.id ?? null),
        [null, null, 'direct'],
      );
    });

    it('leaves a category out of the very next call, of a token that was there before', async () => {
      await upload(service, patient, await createArchive({ 'r.json': RECORD }));
      const flow = { ...(await newFlow(service)), patient, browser: on } satisfies Flow;
      const { access_token: token } = await obtainTokens(service, flow);
      const read = async (): Promise<string> =>
        getToolText(await callTool(service, { token: token as string }, 'get_allergies'));
      assert.match(await read(), /Penicillin/);
      assert.equal((await narrow(OTHERS)).status, 200);
      assert.doesNotMatch(await read(), /Penicillin/);
    });

    it('is a record of its own with the end of the last, and word to the partner', async () => {
      const before = await countInForce();
      const { body } = await narrow(['LABS', 'MEDICATIONS']);
      const now = await countInForce();
      assert.equal(now.expires_at.getTime(), before.expires_at.getTime());
      assert.deepEqual([now.scopes, now.flow], [['MEDICATIONS', 'LABS'], 'MY_DATA_NARROWING']);
      const events = await service.store.db.query(sql<{ type: string; data: string }>`
        select type, data from webhook_event where patient_id = ${patient.id} order by event_id`);
      assert.deepEqual(
        events.map(({ type }) => type),
        ['consent.granted', 'consent.granted'],
      );
      const listed = JSON.parse(events[1]?.data ?? '{}') as Record<string, unknown>;
      assert.equal(listed['consentRecordId'], body.consentRecordId);
      assert.deepEqual(listed['consentDataResourceScopes'], ['MEDICATIONS', 'LABS']);
      const { total } = await one(
        service.store.db,
        sql<{ total: number }>`select count(*) as total from audit_entry
          where consent_record_id = ${body.consentRecordId} and action = 'consent.recorded'`,
      );
      assert.equal(total, 1);
    });

    it('takes only what is less, on both axes', async () => {
      assert.equal((await narrow(['LABS', 'MEDICATIONS'], ['NORMAL', 'MENTAL_HEALTH'])).status, 200);
      for (const [categories, classes] of [
        [
          ['LABS', 'MEDICATIONS'],
          ['NORMAL', 'MENTAL_HEALTH'],
        ],
        [['LABS', 'VISITS'], ['NORMAL']],
        [['LABS'], ['NORMAL', 'HIV_OR_STI']],
        [['LABS', 'MEDICATIONS', 'VISITS'], ['NORMAL']],
        [null, ['NORMAL']],
      ] as const) {
        const answer = await narrow(categories, classes);
        assert.deepEqual(
          getStatusAndCode(answer),
          [400, 'not_narrower'],
          `${categories?.join()} ${classes.join()}`,
        );
      }
      assert.equal((await narrow(['LABS', 'MEDICATIONS'], null)).status, 200, 'fewer classes');
      assert.equal((await narrow(['LABS'], null)).status, 200, 'fewer categories');
      assert.deepEqual(getStatusAndCode(await narrow(['LABS'], null)), [400, 'not_narrower']);
    });

    it('refuses what names nothing, something twice, or what there is not', async () => {
      for (const [categories, classes] of [
        [[], null],
        [['LABS', 'LABS'], null],
        [['EVERYTHING'], null],
        [['LABS'], ['MENTAL_HEALTH']],
      ])
        assert.deepEqual(getStatusAndCode(await narrow(categories as never, classes as never)), [
          400,
          'invalid_input',
        ]);
    });

    it('needs something that is shared now', async () => {
      await decide(service, patient, 'OPTED_OUT');
      assert.deepEqual(getStatusAndCode(await narrow(['LABS'])), [409, 'no_consent']);
      const expirationTimestamp = new Date(service.clock.now().getTime() + 1000).toISOString();
      await decide(service, patient, 'OPTED_IN', { expirationTimestamp });
      service.clock.advance(2000);
      assert.deepEqual(getStatusAndCode(await narrow(['LABS'])), [409, 'no_consent']);
      const elsewhere = await newProject(service, `Elsewhere ${Math.random()}`);
      const foreign = {
        projectId: elsewhere,
        consentDataResourceScopes: ['LABS'],
        consentDataSensitivityScopes: null,
      };
      assert.equal((await on.post('/account/consents/narrow', foreign)).status, 403);
      assert.deepEqual(
        getStatusAndCode(await createTestBrowser(service).post('/account/consents/narrow', foreign)),
        [401, 'not_signed_in'],
      );
    });

    it('and taking back at once end withdrawn or as the one that came later, and the withdrawal says what it took', async () => {
      for (let round = 0; round < 10; round++) {
        await decide(service, patient, 'OPTED_IN');
        const [narrowed, withdrawn] = await Promise.all([
          narrow(['LABS']),
          on.post('/account/consents/withdraw', { projectId: patient.projectId }),
        ]);
        assert.equal(withdrawn.status, 204);
        assert.ok([200, 409].includes(narrowed.status), JSON.stringify(narrowed.body));
        const now = await countInForce();
        assert.equal(now.status, 'OPTED_OUT', 'a narrowing never brings a consent back');
        assert.deepEqual(now.scopes, narrowed.status === 200 ? ['LABS'] : null);
        const { body } = await callTool(service, patient, 'get_allergies');
        assert.deepEqual(body, { error: 'Data Access is revoked!' });
        const listed = await service.store.db.query(sql<{ type: string }>`
          select type from webhook_event where patient_id = ${patient.id} order by event_id desc limit 1`);
        assert.equal(listed[0]?.type, 'consent.withdrawn', `round ${round}`);
      }
    });

    it('or withdrawn is withdrawn once, however often it is sent, on the page and by API', async () => {
      const listIds = async (): Promise<string[]> =>
        (await on.get('/account/receipts')).body.receipts.map(
          ({ consentRecordId }: { consentRecordId: string }) => consentRecordId,
        );
      await decide(service, patient, 'OPTED_IN');
      const before = await listIds();
      const withdraw = () => on.post('/account/consents/withdraw', { projectId: patient.projectId });
      const answers = await Promise.all([withdraw(), withdraw(), withdraw()]);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]));
      const { body } = await on.get('/account/receipts');
      assert.equal(body.receipts.length, before.length + 1);
      assert.equal(body.receipts[0].kind, 'withdrawn');
      const { consentRecordId } = body.receipts[0];
      const path = `/v1/projects/${patient.projectId}`;
      for (const url of [
        `${path}/patients/${patient.id}/consent`,
        `${path}/test-patients/${patient.id}/consent`,
      ]) {
        const again = await call(service, url, {
          token: patient.token,
          json: { consentStatus: 'OPTED_OUT' },
        });
        assert.deepEqual([again.status, again.body], [201, { consentRecordId }]);
      }
      assert.equal((await listIds()).length, before.length + 1);
    });

    it('or said no to after its end is a refusal, recorded once, on the page and by API', async () => {
      const path = `/v1/projects/${patient.projectId}`;
      const refuse = async (url: string): Promise<unknown> => {
        const { status, body } = await call(service, url, {
          token: patient.token,
          json: { consentStatus: 'OPTED_OUT' },
        });
        assert.equal(status, 201);
        return body.consentRecordId;
      };
      const refuseOnPage = async (): Promise<unknown> => {
        await on.post('/account/consents/withdraw', { projectId: patient.projectId });
        return (await on.get('/account/receipts')).body.receipts[0].consentRecordId;
      };
      for (const refuseAgain of [
        () => refuse(`${path}/patients/${patient.id}/consent`),
        () => refuse(`${path}/test-patients/${patient.id}/consent`),
        refuseOnPage,
      ]) {
        const expirationTimestamp = new Date(service.clock.now().getTime() + HOUR_MS / 4).toISOString();
        const json = { consentStatus: 'OPTED_IN', expirationTimestamp };
        const url = `${path}/test-patients/${patient.id}/consent`;
        const given = await call(service, url, { token: patient.token, json });
        service.clock.advance(HOUR_MS / 4);
        const id = await refuseAgain();
        assert.notEqual(id, given.body.consentRecordId);
        const { receipts } = (await on.get('/account/receipts')).body;
        assert.deepEqual([receipts[0].consentRecordId, receipts[0].kind], [id, 'refused']);
        assert.equal(await refuseAgain(), id);
      }
    });

    it('twice at once never widens: both count only where one is part of the other', async () => {
      for (let round = 0; round < 10; round++) {
        await decide(service, patient, 'OPTED_IN');
        const [labs, visits] = await Promise.all([narrow(['LABS']), narrow(['VISITS'])]);
        assert.deepEqual(new Set([labs.status, visits.status]), new Set([200, 400]));
        assert.deepEqual((await countInForce()).scopes, labs.status === 200 ? ['LABS'] : ['VISITS']);
      }
    });
  });
}

describe('what a person shares and shared', () => {
  let service: TestService;
  let patient: TestPatient;
  let on: TestBrowser;
  before(async () => {
    service = await startTestService();
    patient = await newTestPatient(service);
    on = await createSignedInBrowser(service, patient);
  });
  after(() => service.stop());

  const list = async () => (await on.get('/account/consents')).body.consents;

  async function enroll(name: string): Promise<Pick<TestPatient, 'id' | 'projectId' | 'token'>> {
    const projectId = await newProject(service, name);
    await call(service, `/v1/projects/${projectId}/patients`, {
      token: await getOrganizationToken(service),
      json: {
        patients: [{ email: patient.email, firstName: 'A', lastName: 'B' }],
        suppressNotifications: true,
      },
    });
    const { email, password } = patient;
    const { body } = await call(service, '/v1/auth/token', { json: { email, password, projectId } });
    return { id: patient.id, projectId, token: body.token as string };
  }

  it('is listed with what holds now first, then what was withdrawn or is over', async () => {
    const [withdrawn, expired] = [await enroll('Withdrawn'), await enroll('Expired')];
    const soon = new Date(service.clock.now().getTime() + 1000).toISOString();
    await decide(service, expired, 'OPTED_IN', { expirationTimestamp: soon });
    await decide(service, withdrawn, 'OPTED_IN', { consentDataResourceScopes: ['LABS'] });
    await decide(service, withdrawn, 'OPTED_OUT');
    service.clock.advance(2000);
    const listed = await list();
    assert.deepEqual(
      listed.map(({ project, status }: { project: { name: string }; status: string }) => [
        project.name,
        status,
      ]),
      [
        ['Study', 'active'],
        ['Withdrawn', 'withdrawn'],
        ['Expired', 'expired'],
      ],
    );
    assert.equal(listed[0].fullRecordWithoutRestrictedData, true);
    assert.deepEqual(listed[1].consentDataResourceScopes, ['LABS']);
  });

  it('names each app once, with its last reading, and whether it may still read', async () => {
    const flow = { ...(await newFlow(service)), patient, browser: on } satisfies Flow;
    await obtainTokens(service, flow);
    const { access_token: token } = await obtainTokens(service, flow);
    const apps = async () => (await list())[0].apps;
    const [fresh, ...others] = await apps();
    assert.deepEqual([others, fresh.name, fresh.connected, fresh.lastReadAt], [[], 'Test agent', true, null]);
    await callMcp(service, token as string);
    assert.equal((await apps())[0].lastReadAt, null, 'a list of tools is no reading');
    const before = service.clock.now();
    service.clock.advance(HOUR_MS / 4);
    await callMcp(service, token as string, 'tools/call');
    assert.ok(Date.parse((await apps())[0].lastReadAt) > before.getTime() + HOUR_MS / 4 - 1000);
    await on.post('/account/consents/withdraw', { projectId: patient.projectId });
    assert.equal((await apps())[0].connected, false);
    await decide(service, patient, 'OPTED_IN');
    assert.equal(
      (await apps())[0].connected,
      false,
      'what ended with a consent does not come back with the next',
    );
  });

  it('is a list of decisions with a receipt each, for nobody else', async () => {
    const { body } = await on.get('/account/receipts');
    const times = body.receipts.map(({ decidedAt }: { decidedAt: string }) => decidedAt);
    assert.deepEqual(times, times.toSorted().reverse());
    assert.ok(times.length >= 4);
    const [newest] = body.receipts;
    assert.equal(newest.consentStatus, 'OPTED_IN');
    const url = `/account/receipts/${newest.consentRecordId}`;
    const receipt = await on.get(url);
    assert.equal(receipt.status, 200);
    assert.equal(receipt.headers.get('content-type'), 'application/jose');
    assert.match(receipt.headers.get('content-disposition') ?? '', /^attachment; filename="consent-receipt-/);
    assert.equal(String(receipt.body).split('.').length, 3);
    const stranger = await createSignedInBrowser(service, await newTestPatient(service));
    assert.deepEqual(getStatusAndCode(await stranger.get(url)), [404, 'not_found']);
    assert.deepEqual(getStatusAndCode(await createTestBrowser(service).get(url)), [401, 'not_signed_in']);
    assert.equal((await on.get('/account/receipts/nonsense')).status, 400);
  });
});
