import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { newPerson } from '../harness/account.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import { waitForMail } from '../harness/mails.ts';
import {
  call,
  getOrganizationToken,
  newOrganization,
  newProject,
  startTestService,
  upload,
  type TestService,
} from '../harness/service.ts';
import {
  createAccount,
  decideEnrollment,
  invite,
  newInvited,
  newStudy,
  STUDY_CONSENTS,
  type InvitedPerson,
} from '../harness/study.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.ts';
import { createWebhookApi } from '../harness/webhooks.ts';

/** A study from its words to its data, over HTTP, without any OAuth client: 50 are invited, 30 consent, 5 deny, 3 withdraw. */
describe('a study', () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  let researcher: string;
  let projectId: string;
  let people: InvitedPerson[];
  let consenting: InvitedPerson[];
  let denying: InvitedPerson[];
  const getEverything = ({ patientId }: InvitedPerson) =>
    call(service, `/FHIR/R4/Person/${patientId}/$everything`, { token: researcher });
  before(async () => {
    receiver = await startWebhookReceiver();
    service = await startTestService({
      webhookOutbound: receiver.outboundClient,
      environment: { CHARTGATE_SIGN_UP_LIMIT: '1000' },
    });
    researcher = await getOrganizationToken(service, 'researcher');
    projectId = await newStudy(service);
    const webhooks = await createWebhookApi(service);
    await webhooks.createWebhook(receiver.url(), {
      eventTypes: ['consent.granted', 'consent.withdrawn'],
      projectScope: { type: 'projects', projectIds: [projectId] },
    });
  });
  after(async () => {
    await service.stop();
    await receiver.stop();
  });

  it('says in its own words which consents it asks for, in both languages', async () => {
    const url = `/v1/organizations/${service.organization.organizationId}/projects/${projectId}`;
    const { body } = await call(service, url, { token: researcher });
    assert.deepEqual(
      body.consentTypes.map(({ type }: { type: string }) => type),
      ['DATA_AUTHORIZATION'],
    );
    assert.equal(body.consentTypes[0].content.es.title, STUDY_CONSENTS[0]?.content.es.title);
    assert.equal(body.version, 1);
  });

  it('names the organization as it calls itself to people', async () => {
    const { organizationId } = service.organization;
    const contact = { name: 'Dr. Ana Ruiz', email: 'asthma@riverside.example' };
    const changed = await call(service, `/v1/organizations/${organizationId}`, {
      method: 'PATCH',
      token: await getOrganizationToken(service),
      json: { displayName: 'Riverside Clinic', contact },
    });
    assert.deepEqual(
      [changed.status, changed.body.displayName, changed.body.contact, changed.body.publicName],
      [200, 'Riverside Clinic', { ...contact, phone: null }, null],
    );
  });

  it('invites fifty people by mails of the organization, whose link leads to the page', async () => {
    people = await invite(
      service,
      projectId,
      Array.from({ length: 50 }, () => newPerson()),
    );
    const { email } = people[49] as InvitedPerson;
    const mail = await waitForMail(service, email);
    assert.deepEqual([mail.from?.name, mail.subject], ['Riverside Clinic', 'Riverside Clinic invites you']);
    assert.ok(mail.text?.includes('Questions? Dr. Ana Ruiz, asthma@riverside.example'));
    assert.ok(mail.text?.includes(`/#/patient-consent/${projectId}/enrollment/link`));
    assert.doesNotMatch(`${mail.subject}${mail.text}`, /4711|asthma(?!@)/i);
  });

  it('is consented to by thirty and denied by five, each decision a record with what was seen', async () => {
    [consenting, denying] = [people.slice(0, 30), people.slice(30, 35)];
    for (const person of [...consenting, ...denying]) await createAccount(service, person, projectId);
    for (const person of consenting) assert.equal((await decideEnrollment(person, projectId)).status, 200);
    for (const person of denying)
      assert.equal((await decideEnrollment(person, projectId, { decision: 'deny' })).status, 200);
    const [one, no] = [consenting[0] as InvitedPerson, denying[0] as InvitedPerson];
    const yes = await readRecords(one);
    assert.equal(yes.length, 1);
    const [{ consentRecord: record, screenshots }] = yes;
    assert.deepEqual(
      [record.consentType, record.consentStatus, record.consentUIFlow, record.studyId, screenshots.length],
      ['DATA_AUTHORIZATION', 'OPTED_IN', 'PER_STUDY_PRESCREEN', projectId, 2],
    );
    assert.equal(record.consentStats.interactions[0].screen, 'review');
    assert.match(record.uiHash, /./);
    const receipt = await call(service, `/v1/consents/${record.id}/receipt`, { token: researcher });
    const payload = JSON.parse(
      Buffer.from((receipt.body as string).split('.')[1] ?? '', 'base64url').toString(),
    );
    assert.deepEqual(
      [payload.pii_processing.purposes[0].purpose, payload.pii_processing.privacy_notice.title],
      [STUDY_CONSENTS[0]?.content.en.purpose, STUDY_CONSENTS[0]?.content.en.title],
    );
    assert.match((await waitForMail(service, one.email, 3)).subject ?? '', /receipt/);
    const [{ consentRecord: denial }] = await readRecords(no);
    assert.deepEqual(
      [denial.consentStatus, denial.consentUIFlow, denial.consentType],
      ['OPTED_OUT', 'PER_STUDY_PRESCREEN', 'DATA_AUTHORIZATION'],
    );
  });

  it('says in an invitation to another study by which consents the organization reads already', async () => {
    const other = await newStudy(service);
    const [yes, no] = [consenting[0], denying[0]] as [InvitedPerson, InvitedPerson];
    await invite(service, other, [yes, no], { suppressNotifications: true });
    const readReading = async ({ browser }: InvitedPerson) =>
      (await browser.get(`/account/enrollments/${other}`)).body.reading;
    const [reading, ...more] = await readReading(yes);
    assert.deepEqual(
      [reading.consentType, reading.project.id, reading.project.titles.en, more],
      ['DATA_AUTHORIZATION', projectId, STUDY_CONSENTS[0]?.content.en.title, []],
    );
    assert.deepEqual(await readReading(no), []);
  });

  it('gives everybody a receipt to read: of a yes, of a no, of a yes after all', async () => {
    const [denied] = denying as [InvitedPerson];
    const list = async ({ browser }: InvitedPerson) => (await browser.get('/account/receipts')).body.receipts;
    assert.deepEqual(
      (await list(denied)).map(({ kind, consentType }: Record<string, string>) => [kind, consentType]),
      [['refused', 'DATA_AUTHORIZATION']],
    );
    const [{ consentRecordId }] = await list(denied);
    const { body } = await denied.browser.get(`/account/receipts/${consentRecordId}/content`);
    const { event_schema: events, party_identification: parties, pii_processing: processing } = body.receipt;
    assert.deepEqual(
      [body.kind, events[0].event_state, processing.purposes[0].expiry, processing.privacy_notice.title],
      ['refused', 'refused', null, STUDY_CONSENTS[0]?.content.en.title],
    );
    // The project names nobody who answers questions, the organization does.
    assert.equal(parties[1].party_contact.email, 'asthma@riverside.example');
    const mail = await waitForMail(service, denied.email, 3);
    assert.ok(mail.text?.includes(`/#/my-data/receipts/${consentRecordId}`));
    assert.equal(mail.from?.name, 'Riverside Clinic', 'the only organization that they take part with');
  });

  it('loses three who withdraw on their own page', async () => {
    for (const { browser } of consenting.slice(0, 3))
      assert.equal(
        (
          await browser.post('/account/consents/withdraw', {
            projectId,
            consentType: 'DATA_AUTHORIZATION',
          })
        ).status,
        204,
      );
    const readStatus = async ({ browser }: InvitedPerson): Promise<string> =>
      (await browser.get(`/account/enrollments/${projectId}`)).body.consents[0].status;
    const [withdrawn, denied] = [consenting[0], denying[0]] as [InvitedPerson, InvitedPerson];
    assert.deepEqual([await readStatus(withdrawn), await readStatus(denied)], ['withdrawn', 'refused']);
  });

  it('refuses a yes to other choices than those that another tab has sent since', async () => {
    const other = await newStudy(service);
    const person = await newInvited(service, other);
    const changedAt = person.browser.now().toISOString();
    const saved = await person.browser.post(`/account/enrollments/${other}/draft`, {
      consentType: 'DATA_AUTHORIZATION',
      confirmedAs: person.email,
      changedAt,
      choices: {
        categories: ['LABS'],
        sensitivities: [],
        duration: '30-days',
        day: '',
        representative: null,
      },
    });
    assert.equal(saved.status, 200);
    const stale = await decideEnrollment(person, other, { draftChangedAt: null });
    assert.deepEqual([stale.status, stale.body.code], [409, 'choices_changed']);
    const fresh = { consentDataResourceScopes: ['LABS'], draftChangedAt: changedAt };
    assert.equal((await decideEnrollment(person, other, fresh)).status, 200);
  });

  it('says of a consent that ended by itself, and of a no after that, that nobody stopped it', async () => {
    const other = await newStudy(service);
    const person = await newInvited(service, other);
    const decisions = [{ duration: '30-days' }, { decision: 'deny' }] as const;
    for (const [decision, status] of [
      [decisions[0], 'expired'],
      [decisions[1], 'refused'],
    ] as const) {
      assert.equal((await decideEnrollment(person, other, decision)).status, 200);
      await service.store.db.query(sql`
        update consent set decided_at = decided_at - interval '60 days', expires_at = decided_at - interval '30 days'
        where patient_id = ${person.patientId} and consent_status = 'OPTED_IN'`);
      assert.equal((await person.browser.get('/account/consents')).body.consents[0].status, status);
    }
  });

  it('reads $everything of those who consent, and of nobody else', async () => {
    const sharing = consenting.slice(3);
    const reader = sharing[0] as InvitedPerson;
    const login = await call(service, '/v1/auth/token', {
      json: { email: reader.email, password: reader.password, projectId },
    });
    const archive = await createArchive({
      'record.json': createBundle({
        resourceType: 'Condition',
        id: 'asthma',
        subject: { display: 'Jo' },
        code: { text: 'Asthma' },
      }),
    });
    await upload(service, { ...reader, id: reader.patientId, projectId, token: login.body.token }, archive);
    for (const person of sharing) {
      const { status, body } = await getEverything(person);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.entry[0].resource.resourceType, 'Person');
      if (person === reader) assert.match(JSON.stringify(body), /Asthma/);
    }
    const others = people.filter((person) => !sharing.includes(person));
    assert.equal(others.length, 23);
    for (const person of others) assert.equal((await getEverything(person)).status, 403);
  });

  it('does not let an agent read: that takes another consent', async () => {
    const { email, password } = consenting[5] as InvitedPerson;
    const login = await call(service, '/v1/auth/token', { json: { email, password, projectId } });
    const { status } = await call(service, `/projects/${projectId}/mcp`, {
      token: login.body.token as string,
      json: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_conditions', arguments: {} },
      },
    });
    assert.equal(status, 403);
  });

  it('hears of each consent and each withdrawal by webhook, and of no denial', async () => {
    await receiver.waitForRequests(33);
    const received = receiver.received.map(({ json }) =>
      [json.type, json.data.patientId, json.data.consentType].join(' '),
    );
    const expected = [
      ...consenting.map(({ patientId }) => `consent.granted ${patientId} DATA_AUTHORIZATION`),
      ...consenting.slice(0, 3).map(({ patientId }) => `consent.withdrawn ${patientId} DATA_AUTHORIZATION`),
    ];
    assert.deepEqual([...new Set(received)].sort(), expected.sort());
  });

  it('sees how everybody stands in the summaries, and by enrolling them again', async () => {
    const { body } = await call(service, `/v1/projects/${projectId}/consents?limit=100`, {
      token: researcher,
    });
    const summaries = body.results as { consents: { hasPatientConsented: boolean }[] }[];
    const count = (consented: boolean): number =>
      summaries.filter(({ consents }) => consents[0]?.hasPatientConsented === consented).length;
    assert.deepEqual([body.total, count(true), count(false)], [50, 27, 8]);
    const again = [consenting[3], denying[0], people[40]] as InvitedPerson[];
    const enrolled = await call(service, `/v1/projects/${projectId}/patients`, {
      token: researcher,
      json: { patients: again.map(({ email, firstName, lastName }) => ({ email, firstName, lastName })) },
    });
    assert.deepEqual(
      (enrolled.body.duplicates as { consents: { consentStatus: string }[] }[]).map(({ consents }) =>
        consents.map(({ consentStatus }) => consentStatus),
      ),
      [['OPTED_IN'], ['OPTED_OUT'], []],
    );
  });

  it('counts what rests on it, each consent with the words that it was given for', async () => {
    const { organizationId } = service.organization;
    const base = `/v1/organizations/${organizationId}`;
    const admin = await getOrganizationToken(service);
    for (const projectIds of [null, [projectId]]) {
      const name = projectIds === null ? 'Of all projects' : 'Of the study';
      const json = { name, baseUrl: 'https://ehr.example/fhir', projectIds };
      const matching = { by: 'identifier', system: 'urn:mrn' };
      const source = await call(service, `${base}/sources`, { token: admin, json: { ...json, matching } });
      assert.equal(source.status, 201, JSON.stringify(source.body));
    }
    const other = await newProject(service);
    const content = { en: { title: 'Asthma', purpose: 'We look at sleep now.' } };
    const changed = await call(service, `${base}/projects/${projectId}`, {
      method: 'PATCH',
      token: admin,
      json: { content },
    });
    assert.equal(changed.body.version, 2);
    // One shares less, which shows no words; one reads the new words and says yes again.
    const [narrowing, again] = consenting.slice(5) as [InvitedPerson, InvitedPerson];
    const narrowed = await narrowing.browser.post('/account/consents/narrow', {
      projectId,
      consentType: 'DATA_AUTHORIZATION',
      consentDataResourceScopes: ['LABS'],
      consentDataSensitivityScopes: null,
    });
    assert.equal(narrowed.status, 200, JSON.stringify(narrowed.body));
    assert.equal((await decideEnrollment(again, projectId)).status, 200);

    const read = async (token: string, query = '') =>
      (await call(service, `${base}/projects/figures${query}`, { token })).body.results;
    const own = {
      projectId,
      patients: 50,
      consentsInForce: 27,
      consentsByVersion: [
        { version: 2, consents: 1 },
        { version: 1, consents: 26 },
      ],
      sources: 2,
      webhooks: 1,
    };
    const all = (await read(researcher)) as (typeof own)[];
    assert.deepEqual(
      all.find((figures) => figures.projectId === projectId),
      own,
    );
    assert.deepEqual(
      all.find((figures) => figures.projectId === other),
      {
        ...own,
        projectId: other,
        patients: 0,
        consentsInForce: 0,
        consentsByVersion: [],
        sources: 1,
        webhooks: 0,
      },
    );
    assert.deepEqual(await read(researcher, `?projectId=${projectId}`), [own]);
    const stranger = await newOrganization(service);
    const token = await getOrganizationToken(service, 'admin', stranger);
    const foreign = `/v1/organizations/${stranger.organizationId}/projects/figures?projectId=${projectId}`;
    assert.deepEqual((await call(service, foreign, { token })).body.results, []);
  });

  it('has never had an OAuth client', async () => {
    const db = service.store.db;
    assert.deepEqual(await db.query(sql`select client_id from oauth_client`), []);
    assert.deepEqual(await db.query(sql`select grant_id from oauth_grant`), []);
  });

  async function readRecords({ patientId }: InvitedPerson) {
    const { body } = await call(service, `/v1/patients/consents?patientId=${patientId}`, {
      token: researcher,
    });
    return body.results;
  }
});
