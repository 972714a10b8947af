import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { purgeUnusedPersons } from '../../server/identity/patients/purge-unused.ts';
import { newAccount, newPerson } from '../harness/account.ts';
import { listMailsTo, waitForMail } from '../harness/mails.ts';
import {
  call,
  getOrganizationToken,
  newOrganization,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { createTestBrowser } from '../harness/test-browser.ts';
import {
  createAccount,
  decideEnrollment,
  invite,
  newInvited,
  newStudy,
  STUDY_CONSENTS,
  type InvitedPerson,
} from '../harness/study.ts';

const NO_JOBS = { enqueue: async () => {}, wake: () => {} };

let service: TestService;
let token: string;
let projectId: string;
before(async () => {
  service = await startTestService({ environment: { CHARTGATE_SIGN_UP_LIMIT: '1000' } });
  token = await getOrganizationToken(service, 'researcher');
  projectId = await newStudy(service);
});
after(() => service.stop());

const newEnrolled = async (): Promise<InvitedPerson> => {
  const [person] = await invite(service, projectId, [newPerson()], { suppressNotifications: true });
  assert.ok(person);
  return person;
};
const send = (
  { patientId }: Pick<InvitedPerson, 'patientId'>,
  method: string,
  {
    json,
    path = '',
    on = projectId,
    as = token,
  }: { json?: object; path?: string; on?: string; as?: string } = {},
): Promise<HttpResponse> =>
  call(service, `/v1/projects/${on}/patients/${patientId}${path}`, {
    method,
    token: as,
    ...(json && { json }),
  });
const list = (query: string): Promise<HttpResponse> =>
  call(service, `/v1/organizations/${service.organization.organizationId}/patients?${query}`, { token });
const listEnrollments = ({ patientId }: Pick<InvitedPerson, 'patientId'>): Promise<HttpResponse> =>
  list(`q=${patientId}`);
const readEverything = ({ patientId }: InvitedPerson): Promise<HttpResponse> =>
  call(service, `/FHIR/R4/Person/${patientId}/$everything`, { token });

describe('an enrolled patient', () => {
  it('is sent the invitation again, three times an hour at most', async () => {
    const person = await newEnrolled();
    for (let count = 0; count < 3; count++)
      assert.equal((await send(person, 'POST', { path: '/invitation' })).status, 202);
    const { status, body } = await send(person, 'POST', { path: '/invitation' });
    assert.deepEqual([status, body.code], [429, 'too_many_mails']);
    await waitForMail(service, person.email, 3);
    assert.equal((await listMailsTo(service, person.email)).length, 3);
  });

  it('gets a corrected name, address, id and telephone number; the new address is invited, the old one opens nothing', async () => {
    const person = await newEnrolled();
    const corrected = { ...newPerson(), firstName: 'Joan' };
    const { status, body } = await send(person, 'PATCH', {
      json: { email: corrected.email, firstName: 'Joan', externalId: 'MRN 12', phone: '+1 555 0100' },
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body, {
      referenceId: person.patientId,
      email: corrected.email,
      firstName: 'Joan',
      lastName: 'Larsen',
      externalId: 'MRN 12',
      phones: ['+15550100'],
    });
    assert.match((await waitForMail(service, corrected.email)).text ?? '', /^Hello Joan,/);
    const rows = await service.store.db.query(
      sql`select email from patient_email where patient_id = ${person.patientId}`,
    );
    assert.deepEqual(rows, [{ email: corrected.email }]);
    const cleared = await send(person, 'PATCH', { json: { externalId: null, phone: null } });
    assert.deepEqual([cleared.body.externalId, cleared.body.phones], [null, []]);
  });

  /** Enrolls the person with another organization too, by the same names unless others are given. */
  async function enrollElsewhere(
    { email, firstName, lastName }: Pick<InvitedPerson, 'email' | 'firstName' | 'lastName'>,
    more: object = {},
  ): Promise<{ projectId: string; patientId: string; as: string }> {
    const other = await newOrganization(service);
    const as = await getOrganizationToken(service, 'researcher', other);
    const { body } = await call(service, `/v1/projects/${other.projectId}/patients`, {
      token: as,
      json: { patients: [{ email, firstName, lastName, ...more }], suppressNotifications: true },
    });
    return { projectId: other.projectId, patientId: body.successfulPatients[0].referenceId as string, as };
  }

  const readShared = async ({ patientId }: { patientId: string }) => {
    const [row] = await service.store.db.query(sql<Record<string, string | null>>`
      select email, first_name, last_name, date_of_birth, language, phone from patient where patient_id = ${patientId}`);
    return row;
  };

  it('is corrected alike, whether they have an account, another organization knows them, or nobody does', async () => {
    const signedUp = await newAccount(service, createTestBrowser(service));
    const [withAccount] = await invite(service, projectId, [signedUp], { suppressNotifications: true });
    const [unknown, known] = [await newEnrolled(), await newEnrolled()];
    await enrollElsewhere(known);
    const correction = {
      firstName: 'Joan',
      lastName: 'Written',
      dateOfBirth: '1980-12-31',
      languagePreference: 'es',
      suppressNotifications: true,
    };
    const answers = [];
    for (const person of [unknown, known, withAccount] as InvitedPerson[]) {
      const email = newPerson().email;
      const { status, body } = await send(person, 'PATCH', { json: { ...correction, email } });
      assert.deepEqual([body.referenceId, body.email], [person.patientId, email]);
      const { results } = (await listEnrollments(person)).body;
      assert.deepEqual([results.length, results[0].email, results[0].lastName], [1, email, 'Written']);
      const { patientId: _, email: __, enrolledAt: ___, since: ____, ...listed } = results[0];
      answers.push([status, { ...body, referenceId: '', email: '' }, listed]);
    }
    assert.deepEqual(answers[1], answers[0]);
    assert.deepEqual(answers[2], answers[0]);
    assert.match(JSON.stringify(answers[2]), /"state":"enrolled"/, 'not that there is an account');

    const own = await readShared(withAccount as InvitedPerson);
    assert.deepEqual(
      [own?.['email'], own?.['first_name'], own?.['last_name'], own?.['language']],
      [signedUp.email, signedUp.firstName, signedUp.lastName, 'en'],
    );
    assert.equal((await readShared(unknown))?.['last_name'], 'Written');
  });

  it('leaves what another organization relies on, and what it wrote otherwise keeps nobody from a correction', async () => {
    const [same, otherwise] = [await newEnrolled(), await newEnrolled()];
    await enrollElsewhere(same, { dateOfBirth: '1970-01-01' });
    await enrollElsewhere(otherwise, { firstName: 'X', lastName: 'Y' });
    const json = { lastName: 'Right', dateOfBirth: '1980-12-31', phone: '+1 555 0199' };
    for (const person of [same, otherwise]) {
      const { status, body } = await send(person, 'PATCH', { json });
      assert.deepEqual([status, body.lastName, body.phones], [200, 'Right', ['+15550199']]);
    }
    assert.equal((await readShared(same))?.['last_name'], same.lastName);
    assert.equal((await readShared(otherwise))?.['last_name'], 'Right');
    assert.deepEqual(
      [(await readShared(same))?.['date_of_birth'], (await readShared(same))?.['phone']],
      [null, null],
      'of what several write of a person, each has its own',
    );
  });

  it('keeps its own words of a person that another organization corrects', async () => {
    const person = await newEnrolled();
    const elsewhere = await enrollElsewhere(person);
    const { status } = await send(elsewhere, 'PATCH', {
      on: elsewhere.projectId,
      as: elsewhere.as,
      json: { email: newPerson().email, lastName: 'Elsewhere' },
    });
    assert.equal(status, 200);
    const { results } = (await listEnrollments(person)).body;
    assert.deepEqual([results[0].email, results[0].lastName], [person.email, person.lastName]);
    assert.equal((await readShared(person))?.['email'], person.email);
  });

  it('gets mails where the organization wrote that they are, in its own words alone, until they decide', async () => {
    const signedUp = await newAccount(service, createTestBrowser(service), { firstName: 'Secretname' });
    const [person] = await invite(service, projectId, [{ ...signedUp, firstName: 'Jo' }], {
      suppressNotifications: true,
    });
    assert.ok(person);
    await service.store.db.query(
      sql`update patient set language = 'es' where patient_id = ${person.patientId}`,
    );
    const own = (await listMailsTo(service, person.email)).length;
    const { email } = newPerson();
    assert.equal((await send(person, 'PATCH', { json: { email } })).status, 200);
    assert.equal((await send(person, 'POST', { path: '/invitation' })).status, 202);
    assert.equal((await send(person, 'DELETE')).status, 204);
    await waitForMail(service, email, 3);
    const mails = await listMailsTo(service, email);
    assert.deepEqual(
      mails.map(({ text }) => text?.startsWith('Hello Jo,')),
      [true, true, true],
    );
    assert.equal((await listMailsTo(service, person.email)).length, own);
  });

  it('is taken over by whoever has the corrected address, once they come to the invitation', async () => {
    const right = await newAccount(service, createTestBrowser(service));
    const browser = createTestBrowser(service);
    await browser.post('/account/sign-in', right);
    const wrong = await newEnrolled();
    const { status } = await send(wrong, 'PATCH', {
      json: { email: right.email.toUpperCase(), externalId: 'MRN 30', phone: '+1 555 0300' },
    });
    assert.equal(status, 200);
    const item = { email: right.email, firstName: 'Jo', lastName: 'Larsen' };
    const again = await call(service, `/v1/projects/${projectId}/patients`, {
      token,
      json: { patients: [item], suppressNotifications: true },
    });
    assert.deepEqual(
      again.body.duplicates.map(({ referenceId }: { referenceId: string }) => referenceId),
      [wrong.patientId],
      'it is enrolled already, as with an address that nobody has',
    );
    const stranger = createTestBrowser(service);
    await newAccount(service, stranger, { email: wrong.email });
    assert.equal((await stranger.get(`/account/enrollments/${projectId}`)).body.enrolled, false);

    const { body } = await browser.get(`/account/enrollments/${projectId}`);
    assert.equal(body.enrolled, true);
    const found = (await list(`q=${encodeURIComponent('MRN 30')}`)).body.results as Record<string, string>[];
    const adopted = found.find(({ state }) => state === 'has_account');
    assert.equal(found.length, 2);
    assert.deepEqual(
      [adopted?.['lastName'], found.find(({ state }) => state === 'ended')?.['patientId']],
      [wrong.lastName, wrong.patientId],
    );
    assert.equal((await list(`q=${encodeURIComponent('+1 555 0300')}`)).body.results.length, 1);
    assert.equal((await decideEnrollment({ browser, email: right.email }, projectId)).status, 200);
    const byAddress = await call(service, `/v1/patients/consents?email=${right.email}`, { token });
    assert.equal(byAddress.body.results[0].consentRecord.patientId, adopted?.['patientId']);
  });

  it('is nobody else’s once they have decided, whatever address is written of them', async () => {
    const person = await newInvited(service, projectId);
    assert.equal((await decideEnrollment(person, projectId)).status, 200);
    const other = await newAccount(service, createTestBrowser(service));
    const browser = createTestBrowser(service);
    await browser.post('/account/sign-in', other);
    const mails = (await listMailsTo(service, other.email)).length;
    assert.equal((await send(person, 'PATCH', { json: { email: other.email } })).status, 200);
    assert.equal((await browser.get(`/account/enrollments/${projectId}`)).body.enrolled, false);
    assert.equal((await person.browser.get(`/account/enrollments/${projectId}`)).body.enrolled, true);
    assert.equal((await send(person, 'DELETE')).status, 204);
    await waitForMail(service, person.email, 3);
    assert.equal((await listMailsTo(service, other.email)).length, mails, 'who decided hears of its end');
  });

  it('gets a corrected day of birth also once they have signed in, and another language before', async () => {
    const person = await newEnrolled();
    const json = { dateOfBirth: '1980-12-31', languagePreference: 'es', phone: '+1 555 0101' };
    assert.equal((await send(person, 'PATCH', { json })).status, 200);
    const shared = await readShared(person);
    assert.deepEqual(
      [shared?.['date_of_birth'], shared?.['language'], shared?.['phone']],
      ['1980-12-31', 'es', '+1 555 0101'],
    );
    const account = await newInvited(service, projectId);
    const own = { dateOfBirth: '1981-01-01', languagePreference: 'es' };
    assert.equal((await send(account, 'PATCH', { json: own })).status, 200);
    const theirs = await readShared(account);
    assert.deepEqual([theirs?.['date_of_birth'], theirs?.['language']], ['1981-01-01', 'en']);
    assert.equal((await send(person, 'PATCH', { json: { dateOfBirth: '1980-02-30' } })).status, 400);
  });

  it('cannot be given an address by which the project calls somebody else', async () => {
    const [one, other] = [await newEnrolled(), await newEnrolled()];
    const { status, body } = await send(one, 'PATCH', { json: { email: other.email.toUpperCase() } });
    assert.deepEqual([status, body.code], [409, 'address_taken']);
    assert.equal((await send(one, 'PATCH', { json: {} })).status, 400);
  });

  it('shares no more when the enrollment ends, is asked anew when enrolled again, and old decisions stay on record', async () => {
    const person = await newInvited(service, projectId);
    assert.equal((await decideEnrollment(person, projectId)).status, 200);
    assert.equal((await readEverything(person)).status, 200);
    assert.equal((await send(person, 'DELETE')).status, 204);
    assert.equal((await readEverything(person)).status, 403);
    const [ended] = (await person.browser.get('/account/consents')).body.consents;
    assert.deepEqual([ended.status, ended.apps], ['revoked', []], 'it was not the patient who stopped it');
    const late = await decideEnrollment(person, projectId, { studySnapshotId: 'any' });
    assert.deepEqual([late.status, late.body.code], [403, 'not_invited']);
    assert.equal((await person.browser.get(`/account/enrollments/${projectId}`)).body.enrolled, false);
    const events = await service.store.db.query(
      sql<{ type: string; source: string | null }>`
        select type, data->>'withdrawalSource' as source from webhook_event
        where patient_id = ${person.patientId} order by event_id`,
    );
    assert.deepEqual(events, [
      { type: 'consent.granted', source: null },
      { type: 'consent.withdrawn', source: 'ORGANIZATION' },
    ]);
    assert.match((await waitForMail(service, person.email, 3)).subject ?? '', /no longer take part|receipt/);

    const { email, firstName, lastName } = person;
    const again = await call(service, `/v1/projects/${projectId}/patients`, {
      token,
      json: { patients: [{ email, firstName, lastName }], suppressNotifications: true },
    });
    assert.equal(again.body.successCount, 1);
    assert.equal((await readEverything(person)).status, 403);
    const { body } = await person.browser.get(`/account/enrollments/${projectId}`);
    assert.deepEqual([body.enrolled, body.consents[0].asked], [true, 'new']);
    const records = await call(service, `/v1/patients/consents?patientId=${person.patientId}`, { token });
    assert.deepEqual(
      (records.body.results as { consentRecord: Record<string, string> }[]).map(({ consentRecord }) => [
        consentRecord['consentStatus'],
        consentRecord['consentUIFlow'],
      ]),
      [
        ['OPTED_OUT', 'ENROLLMENT_ENDED'],
        ['OPTED_IN', 'PER_STUDY_PRESCREEN'],
      ],
    );
    assert.equal((await decideEnrollment(person, projectId)).status, 200);
    assert.equal((await readEverything(person)).status, 200);
  });

  it('is one 403 to whoever did not enroll them: unknown, ended, of another project; an end sent again is none', async () => {
    const person = await newInvited(service, projectId);
    const elsewhere = await newStudy(service);
    await send(person, 'DELETE');
    for (const [on, patientId] of [
      [projectId, person.patientId],
      [elsewhere, person.patientId],
      [projectId, '00000000-0000-4000-8000-000000000000'],
    ] as const)
      for (const [method, path, json] of [
        ['POST', '/invitation', undefined],
        ['PATCH', '', { externalId: 'x' }],
        ['DELETE', '', undefined],
      ] as const) {
        const { status, body } = await send({ patientId }, method, { on, path, ...(json && { json }) });
        const isRepeated = method === 'DELETE' && on === projectId && patientId === person.patientId;
        const expected = isRepeated ? [204, undefined] : [403, 'no_consent'];
        assert.deepEqual([status, body?.code], expected, `${method} ${path}`);
      }
  });
});

describe('a dry run of an enrollment', () => {
  it('says what would happen, enrolls nobody and invites nobody', async () => {
    const [known, fresh] = [await newEnrolled(), newPerson()];
    const patients = [known, fresh, fresh].map(({ email, firstName, lastName }) => ({
      email,
      firstName,
      lastName,
    }));
    const dryRun = (query: string) =>
      call(service, `/v1/projects/${projectId}/patients${query}`, {
        token,
        json: { patients: [...patients, { email: 'none' }] },
      });
    const { status, body } = await dryRun('?dryRun=true');
    assert.deepEqual([status, body.successCount, body.duplicatesCount, body.errorCount], [200, 1, 2, 1]);
    assert.deepEqual(body.successfulPatients, [{ patientIndex: 1, email: fresh.email, referenceId: null }]);
    assert.deepEqual(
      (body.duplicates as { referenceId: string | null }[]).map(({ referenceId }) => referenceId),
      [known.patientId, null],
    );
    assert.deepEqual(await listMailsTo(service, fresh.email), []);
    assert.equal((await dryRun('?dryRun=perhaps')).status, 400);
    assert.equal((await dryRun('')).body.successCount, 1);
  });
});

const DAY_MS = 24 * 3600 * 1000;

describe('a decision that is asked for again', () => {
  const change = async (project: string, purpose: string): Promise<void> => {
    const { organizationId } = service.organization;
    const { status } = await call(service, `/v1/organizations/${organizationId}/projects/${project}`, {
      method: 'PATCH',
      token: await getOrganizationToken(service),
      json: { consentTypes: [{ type: 'DATA_AUTHORIZATION', content: { en: { title: 'Asthma', purpose } } }] },
    });
    assert.equal(status, 200);
  };
  const countAsked = async ({ email }: InvitedPerson): Promise<number> =>
    (await listMailsTo(service, email)).filter(({ subject }) =>
      /asks you to decide again/.test(subject ?? ''),
    ).length;

  it('is asked once by mail after its words changed, of those who share, and on their own page until they decide', async () => {
    const study = await newStudy(service);
    const [yes, no, silent] = [
      await newInvited(service, study),
      await newInvited(service, study),
      await newInvited(service, study),
    ];
    await decideEnrollment(yes, study);
    await decideEnrollment(no, study, { decision: 'deny' });
    await change(study, 'For sleep too.');
    await change(study, 'For sleep and food too.');
    assert.equal(await countAsked(yes), 0, 'within a quarter of an hour the words may be corrected');
    service.clock.advance(31 * 60_000);
    assert.deepEqual([await countAsked(yes), await countAsked(no), await countAsked(silent)], [1, 0, 0]);
    const { body } = await yes.browser.get('/account/enrollments');
    assert.deepEqual(
      (
        body.enrollments as {
          studyId: string;
          asked: { reason: string }[];
          reading: { consentType: string }[];
        }[]
      ).map(({ studyId, asked, reading }) => [
        studyId,
        asked.map(({ reason }) => reason),
        reading.map(({ consentType }) => consentType),
      ]),
      [[study, ['words_changed'], ['DATA_AUTHORIZATION']]],
    );
    assert.equal((await readEverything(yes)).status, 200, 'what is shared goes on');
    assert.equal((await decideEnrollment(yes, study)).status, 200);
    assert.deepEqual((await yes.browser.get('/account/enrollments')).body.enrollments, []);
    const answered = (await no.browser.get('/account/enrollments')).body;
    assert.deepEqual(answered.enrollments, []);
    const titles = { en: 'Better asthma care', es: null };
    assert.deepEqual(
      (answered.invitations as { project: object; consentTypes: string[] }[]).map(
        ({ project, consentTypes }) => [project, consentTypes],
      ),
      [[{ name: 'Study 4711', titles }, ['DATA_AUTHORIZATION']]],
      'who said no finds the way back to the page',
    );
  });

  it('keeps the title of the version that was decided on, in each language', async () => {
    const study = await newStudy(service, [...STUDY_CONSENTS, { type: 'FUTURE_DATA_USE', content: null }]);
    const person = await newInvited(service, study);
    await decideEnrollment(person, study);
    await decideEnrollment(person, study, { consentType: 'FUTURE_DATA_USE' });
    await change(study, 'For sleep too.');
    const readTitles = (rows: { consentType: string; project: { titles: object } }[]) =>
      Object.fromEntries(rows.map(({ consentType, project }) => [consentType, project.titles]));
    const expected = {
      DATA_AUTHORIZATION: { en: 'Asthma study', es: 'Estudio del asma' },
      FUTURE_DATA_USE: { en: 'Better asthma care', es: null },
    };
    assert.deepEqual(readTitles((await person.browser.get('/account/consents')).body.consents), expected);
    assert.deepEqual(readTitles((await person.browser.get('/account/receipts')).body.receipts), expected);
  });

  it('is asked once by mail two weeks before a consent for more than a month ends', async () => {
    const study = await newStudy(service);
    const [long, short] = [await newInvited(service, study), await newInvited(service, study)];
    await decideEnrollment(long, study);
    await decideEnrollment(short, study, { duration: '30-days' });
    service.clock.advance(77 * DAY_MS);
    await service.worker.enqueueRecurringJobs();
    await service.worker.drain();
    service.clock.advance(2 * 3_600_000);
    assert.deepEqual([await countAsked(long), await countAsked(short)], [1, 0]);
  });
});

describe('whom an organization enrolled, and nothing rests on', () => {
  before(async () => void (token = await getOrganizationToken(service, 'researcher')));
  const inAMonth = { now: () => new Date(service.clock.now().getTime() + 31 * 24 * 60 * 60_000) };
  const purge = (clock = inAMonth): Promise<void> =>
    purgeUnusedPersons({ db: service.store.db, clock, jobs: NO_JOBS }, new AbortController().signal);
  const isKept = async ({ patientId, email }: InvitedPerson): Promise<boolean[]> => {
    const { db } = service.store;
    const persons = await db.query(sql`select from patient where patient_id = ${patientId}`);
    const addresses = await db.query(sql`select from patient_email where email = ${email.toLowerCase()}`);
    return [persons.length > 0, addresses.length > 0];
  };

  it('is deleted a month after the last enrollment ended, is written to by nobody, and stays listed', async () => {
    const person = await newEnrolled();
    assert.equal((await send(person, 'DELETE')).status, 204);
    await purge(service.clock);
    assert.deepEqual(await isKept(person), [true, true]);
    const [again] = await invite(service, projectId, [person], { suppressNotifications: true });
    assert.equal(again?.patientId, person.patientId);
    await purge();
    assert.deepEqual(await isKept(person), [true, true]);
    assert.equal((await send(person, 'DELETE')).status, 204);
    await purge();
    assert.deepEqual(await isKept(person), [false, false]);
    assert.deepEqual(await listMailsTo(service, person.email), []);
    const { body } = await listEnrollments(person);
    assert.deepEqual(
      body.results.map(({ state }: { state: string }) => state),
      ['ended'],
    );
  });

  it('is kept with an account, a decision, or a place in another project', async () => {
    const decided = await newInvited(service, projectId);
    await decideEnrollment(decided, projectId);
    const account = await newEnrolled();
    await createAccount(service, account, projectId);
    const elsewhere = await newEnrolled();
    await invite(service, await newStudy(service), [elsewhere], { suppressNotifications: true });
    const kept = [decided, account, elsewhere];
    for (const person of kept) assert.equal((await send(person, 'DELETE')).status, 204);
    await purge();
    for (const person of kept) assert.deepEqual(await isKept(person), [true, true]);
  });
});
