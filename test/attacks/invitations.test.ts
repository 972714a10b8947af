import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { newAccount } from '../harness/account.ts';
import { createSignedInBrowser } from '../harness/authorization.ts';
import {
  call,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import {
  decideEnrollment,
  newInvited,
  newStudy,
  sendEnrollmentScreens,
  STUDY_CONSENTS,
  type InvitedPerson,
} from '../harness/study.ts';
import { createTestBrowser } from '../harness/test-browser.ts';

let service: TestService;
let projectId: string;
before(async () => {
  service = await startTestService({ environment: { CHARTGATE_SIGN_UP_LIMIT: '1000' } });
  projectId = await newStudy(service);
});
after(() => service.stop());

const listTerms = async ({ browser }: InvitedPerson): Promise<Record<string, unknown>> => {
  const { body } = await browser.get(`/account/enrollments/${projectId}`);
  return { studySnapshotId: body.project.studySnapshotId as string };
};

const listRecords = async (patientId: string) =>
  (
    await call(service, `/v1/patients/consents?patientId=${patientId}`, {
      token: await getOrganizationToken(service),
    })
  ).body;

describe('an invitation', () => {
  it('case 200: of another person enrolls nobody and shows whoever follows it nothing of the project', async () => {
    const browser = createTestBrowser(service);
    const stranger = await newAccount(service, browser);
    const { status, body } = await browser.get(`/account/enrollments/${projectId}`);
    assert.equal(status, 200);
    assert.deepEqual([body.enrolled, body.project, body.consents, body.mcpUrl], [false, null, [], null]);
    const refused = await decideEnrollment({ ...stranger, browser }, projectId);
    assert.deepEqual([refused.status, refused.body.code], [403, 'not_invited']);
  });

  it('case 200: shows whoever is not signed in who invites, and neither the project nor a person', async () => {
    const { body } = await createTestBrowser(service).get(`/account/enrollments/${projectId}`);
    assert.deepEqual([body.person, body.enrolled, body.project, body.consents], [null, false, null, []]);
    assert.doesNotMatch(JSON.stringify(body), /asthma|4711/i);
  });

  it('case 201: is decided once, however often the yes is sent: two tabs, a lost answer', async () => {
    const person = await newInvited(service, projectId);
    const terms = { ...(await listTerms(person)), duration: '90-days' };
    const screens = await sendEnrollmentScreens(person, projectId, terms);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => decideEnrollment(person, projectId, { replaces: null, screens })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 409, 409, 409],
    );
    assert.ok(answers.every(({ status, body }) => status === 200 || body.code === 'already_decided'));
    assert.equal((await listRecords(person.patientId)).total, 1);
  });

  it('case 202: is not decided in another browser, without the page’s token, for somebody else, or without its screens', async () => {
    const person = await newInvited(service, projectId);
    const other = await newInvited(service, projectId);
    const elsewhere = createTestBrowser(service);
    assert.equal((await decideEnrollment({ ...person, browser: elsewhere }, projectId)).status, 401);
    const { body } = await person.browser.get(`/account/enrollments/${projectId}`);
    const decision = {
      decision: 'deny',
      consentType: 'DATA_AUTHORIZATION',
      confirmedAs: person.email,
      studySnapshotId: body.project.studySnapshotId,
      replaces: null,
    };
    const url = `/account/enrollments/${projectId}/decision`;
    assert.equal((await person.browser.post(url, decision, { 'x-csrf-token': 'forged' })).status, 403);
    const swapped = await other.browser.post(url, decision);
    assert.deepEqual([swapped.status, swapped.body.code], [409, 'person_changed']);
    const named = { ...decision, confirmedAs: other.email, personId: person.patientId };
    assert.equal((await other.browser.post(url, named)).body.code, 'person_changed');
    const bare = await decideEnrollment(person, projectId, { screens: [] });
    assert.deepEqual([bare.status, bare.body.code], [400, 'evidence_required']);
    assert.equal((await listRecords(person.patientId)).total ?? 0, 0);
  });

  it('case 203: gives only what the project asks for, in the words that it shows now', async () => {
    const person = await newInvited(service, projectId);
    const other = await decideEnrollment(person, projectId, { consentType: 'FUTURE_DATA_USE' });
    assert.deepEqual([other.status, other.body.code], [400, 'not_asked']);
    const old = await decideEnrollment(person, projectId, { studySnapshotId: 'of another time' });
    assert.deepEqual([old.status, old.body.code], [409, 'content_changed']);
    const once = await decideEnrollment(person, projectId, { duration: 'once' });
    assert.deepEqual([once.status, once.body.code], [400, 'invalid_input']);
    const far = await decideEnrollment(person, projectId, { duration: { until: '2099-01-01T00:00:00Z' } });
    assert.equal(far.status, 400);
  });

  it('case 549: is not answered as made by the key of the other answer', async () => {
    for (const [first, second] of [
      ['grant', 'deny'],
      ['deny', 'grant'],
    ] as const) {
      const person = await newInvited(service, projectId);
      const decisionKey = randomUUID();
      const decideAs = (decision: 'grant' | 'deny') =>
        decideEnrollment(person, projectId, { decision, decisionKey, replaces: null });
      const made = await decideAs(first);
      assert.equal(made.status, 200);
      assert.deepEqual((await decideAs(first)).body, made.body);
      const other = await decideAs(second);
      assert.deepEqual([other.status, other.body.code], [409, 'already_decided']);
    }
  });

  it('case 204: to later use alone lets nobody read', async () => {
    const later = await newStudy(service, [{ type: 'FUTURE_DATA_USE' }]);
    const person = await newInvited(service, later);
    const { status } = await decideEnrollment(person, later, { consentType: 'FUTURE_DATA_USE' });
    assert.equal(status, 200);
    const token = await getOrganizationToken(service);
    const everything = await call(service, `/FHIR/R4/Person/${person.patientId}/$everything`, { token });
    assert.equal(everything.status, 403);
  });

  it('case 205: of a test patient is decided by nobody from another organization', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const browser = await createSignedInBrowser(service, patient);
    const refused = await decideEnrollment({ browser, email: patient.email }, projectId);
    assert.deepEqual([refused.status, refused.body.code], [403, 'not_invited']);
  });

  it('case 206: opens nothing after the end of the enrollment, nor does enrolling the person again', async () => {
    const person = await newInvited(service, projectId);
    assert.equal((await decideEnrollment(person, projectId)).status, 200);
    const token = await getOrganizationToken(service);
    const url = `/v1/projects/${projectId}/patients`;
    await call(service, `${url}/${person.patientId}`, { method: 'DELETE', token });
    const refused = await decideEnrollment(person, projectId, { replaces: null });
    assert.deepEqual([refused.status, refused.body.code], [403, 'not_invited']);
    const { email, firstName, lastName } = person;
    await call(service, url, {
      token,
      json: { patients: [{ email, firstName, lastName }], suppressNotifications: true },
    });
    const read = await call(service, `/FHIR/R4/Person/${person.patientId}/$everything`, { token });
    assert.deepEqual([read.status, read.body.issue[0].code], [403, 'forbidden']);
  });

  it('case 227: takes what a category is needed for as bounded words about a category that exists', async () => {
    const { organizationId } = service.organization;
    const token = await getOrganizationToken(service);
    const send = (categoryPurposes: object) =>
      call(service, `/v1/organizations/${organizationId}/projects`, {
        token,
        json: { name: 'Words', content: { en: { title: 'Words', purpose: 'To ask.', categoryPurposes } } },
      });
    const refused = [
      { LABS: 'x'.repeat(301) },
      { LABS: 'to \u202edaer' },
      { LABS: `o${'\u0301'.repeat(9)}` },
      { LABS: ' ' },
      { EVERYTHING: 'To read it.' },
      { __proto__x: 'To read it.' },
      {},
    ];
    for (const purposes of refused) {
      const { status, body } = await send(purposes);
      assert.deepEqual([status, body.code], [400, 'invalid_input'], JSON.stringify(purposes));
    }
    const markup = { LABS: '<img src=x onerror=alert(1)> **bold**' };
    const { status, body } = await send(markup);
    assert.deepEqual([status, body.content.en.categoryPurposes], [201, markup]);
  });

  it('case 228: is not decided on what a category was needed for before, and is asked again when that changes', async () => {
    const study = await newStudy(service);
    const [early, late] = [await newInvited(service, study), await newInvited(service, study)];
    assert.equal((await decideEnrollment(early, study)).status, 200);
    const { body: shown } = await late.browser.get(`/account/enrollments/${study}`);
    const [consent] = STUDY_CONSENTS;
    const en = { ...consent?.content.en, categoryPurposes: { LABS: 'To follow your lungs.' } };
    const changed = await call(
      service,
      `/v1/organizations/${service.organization.organizationId}/projects/${study}`,
      {
        method: 'PATCH',
        token: await getOrganizationToken(service),
        json: { consentTypes: [{ type: consent?.type, content: { ...consent?.content, en } }] },
      },
    );
    assert.deepEqual([changed.status, changed.body.version], [200, 2]);
    const { studySnapshotId } = shown.project;
    const old = await decideEnrollment(late, study, { studySnapshotId });
    assert.deepEqual([old.status, old.body.code], [409, 'content_changed']);
    const { body: asked } = await early.browser.get('/account/enrollments');
    assert.deepEqual(asked.enrollments[0].asked, [{ consentType: consent?.type, reason: 'words_changed' }]);
  });

  it('case 229: shows a receipt and its screens to nobody but the person who decided', async () => {
    const [owner, other] = [await newInvited(service, projectId), await newInvited(service, projectId)];
    const consentRecordId = (await decideEnrollment(owner, projectId)).body.consentRecordId as string;
    const url = `/account/receipts/${consentRecordId}`;
    const { status, body } = await owner.browser.get(`${url}/content`);
    assert.deepEqual([status, body.kind, body.receipt.record_id], [200, 'given', consentRecordId]);
    const own = (await decideEnrollment(other, projectId)).body.consentRecordId as string;
    const screen = `screenshots/${body.screenshots[0].id}`;
    assert.equal((await owner.browser.get(`${url}/${screen}`)).status, 200);
    const signedOut = createTestBrowser(service);
    for (const path of [url, `${url}/content`, `${url}/${screen}`]) {
      assert.equal((await other.browser.get(path)).status, 404, path);
      assert.equal((await signedOut.get(path)).status, 401, path);
    }
    // A screen of somebody else, asked for under the own decision.
    assert.equal((await other.browser.get(`/account/receipts/${own}/${screen}`)).status, 404);
  });
});
