import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { requestMailedLink, newAccount, newPerson } from '../harness/account.ts';
import { extractLinkToken, waitForMail } from '../harness/mails.ts';
import {
  call,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { createTestBrowser, type TestBrowser } from '../harness/test-browser.ts';

const HOUR_MS = 3_600_000;

let service: TestService;
before(
  async () =>
    void (service = await startTestService({ environment: { CHARTGATE_TRUSTED_PROXIES: '127.0.0.1' } })),
);
after(() => service.stop());

let clients = 0;
/** Each from an address of its own, so that no test uses up another's limit. */
const browser = (): TestBrowser =>
  createTestBrowser(service, { 'x-forwarded-for': `198.51.100.${++clients}` });

const requestLink = (email: string, on = browser()): Promise<string> =>
  requestMailedLink(service, on, { email });
const setPassword = (json: object, on = browser()): Promise<HttpResponse> =>
  on.post('/account/password', json);
const signIn = (json: object, on = browser()): Promise<HttpResponse> => on.post('/account/sign-in', json);
const getSessionPerson = async (on: TestBrowser): Promise<unknown> =>
  (await on.get('/account/session')).body.person;

async function enroll(email: string, names: { firstName: string; lastName: string }): Promise<string> {
  const { body } = await call(service, `/v1/projects/${service.organization.projectId}/patients`, {
    token: await getOrganizationToken(service),
    json: { patients: [{ email, ...names }], suppressNotifications: true },
  });
  return body.successfulPatients[0].referenceId as string;
}

const listPatients = (email: string): Promise<{ patient_id: string; heads: number }[]> =>
  service.store.db.query(sql<{ patient_id: string; heads: number }>`
    select p.patient_id, (select count(*) from record_head h where h.patient_id = p.patient_id) as heads
    from patient p where lower(p.email) = lower(${email})`);

const refused = { status: 404, code: 'link_invalid' };
const getStatusAndCode = ({ status, body }: HttpResponse): unknown => ({ status, code: body.code });

describe('making an account', () => {
  it('goes by a mailed link: the password set there makes the account and signs in', async () => {
    const { email, password, firstName, lastName } = newPerson();
    const jo = browser();
    assert.equal((await signIn({ email, password })).status, 401);
    const asked = await jo.post('/account/sign-up', { email, continueWith: 'request-1' });
    assert.deepEqual([asked.status, asked.body], [202, { status: 'sent' }]);
    const token = extractLinkToken(await waitForMail(service, email));
    assert.deepEqual(await listPatients(email), [], 'nobody is made before the address is confirmed');

    const opened = await jo.post('/account/link', { token });
    assert.deepEqual(
      [opened.status, opened.body],
      [
        200,
        {
          email,
          hasPassword: false,
          needsName: true,
          passkeys: [],
          continueWith: 'request-1',
          projectId: null,
          organization: null,
        },
      ],
    );
    const set = await jo.post('/account/password', { token, password, firstName, lastName });
    const [made] = await listPatients(email);
    const person = { id: made?.patient_id, firstName, lastName, email, isTestPatient: false };
    assert.deepEqual([set.status, set.body], [200, { person, continueWith: 'request-1', projectId: null }]);
    assert.deepEqual(await getSessionPerson(jo), person);
    assert.deepEqual((await signIn({ email, password })).body, { person });
    assert.deepEqual(
      (await listPatients(email)).map(({ heads }) => heads),
      [1],
      'with a record to write to',
    );
  });

  it('works from any browser, since links are often opened in another', async () => {
    const person = newPerson();
    const token = await requestLink(person.email);
    assert.equal((await setPassword({ ...person, token })).status, 200);
  });

  it('takes an address for the same in capitals', async () => {
    const { email, password } = await newAccount(service, browser());
    const capitals = email.toUpperCase();
    assert.equal((await signIn({ email: capitals, password })).status, 200);
    const token = await requestLink(capitals);
    const { body } = await browser().post('/account/link', { token });
    assert.deepEqual([body.email, body.hasPassword], [email, true]);
  });

  it('needs both names of somebody new, and says which is missing; the link stays', async () => {
    const { email, password, firstName, lastName } = newPerson();
    const token = await requestLink(email);
    for (const [names, missing] of [
      [{}, ['firstName', 'lastName']],
      [{ firstName }, ['lastName']],
      [{ lastName }, ['firstName']],
    ] as const) {
      const { status, body } = await setPassword({ token, password, ...names });
      assert.equal(status, 400);
      assert.deepEqual(
        body.errors.map(({ path }: { path: string }) => path),
        missing,
      );
    }
    assert.equal((await setPassword({ token, password, firstName, lastName })).status, 200);
  });

  for (const [why, password] of [
    ['is short', 'elevenchars'],
    ['is endless', 'x'.repeat(201)],
    ['contains the name of the mailbox', 'my-Robin.Hood-password'],
    ['contains the address', 'ROBIN.HOOD@mail.example'],
  ] as const) {
    it(`refuses a password that ${why}, and the link stays`, async () => {
      const person = newPerson({ email: 'robin.hood@mail.example' });
      await service.store.db.query(sql`delete from rate_limit where key like 'mail:%'`);
      const token = await requestLink(person.email);
      const { status, body } = await setPassword({ ...person, token, password });
      assert.deepEqual([status, body.errors[0].path], [400, 'password']);
      assert.ok(!JSON.stringify(body).includes(password));
      assert.equal((await browser().post('/account/link', { token })).status, 200);
    });
  }
});

describe('somebody an organization enrolled', () => {
  it('is met by their confirmed address: the password becomes theirs, under the name the organization gave', async () => {
    const { email, password } = newPerson();
    const id = await enroll(email.replace('jo', 'Jo'), { firstName: 'Johanna', lastName: 'Lund' });
    const token = await requestLink(email);
    const { body: link } = await browser().post('/account/link', { token });
    assert.deepEqual([link.hasPassword, link.needsName], [false, false]);
    const { status, body } = await setPassword({ token, password, firstName: 'Mallory', lastName: 'X' });
    assert.equal(status, 200);
    assert.deepEqual([body.person.firstName, body.person.lastName], ['Johanna', 'Lund']);
    assert.deepEqual(
      (await listPatients(email)).map(({ patient_id }) => patient_id),
      [id],
    );
    const { projectId } = service.organization;
    assert.equal(
      (await call(service, '/v1/auth/token', { json: { email, password, projectId } })).status,
      200,
    );
  });

  it('is one patient when enrollment and sign-up happen at once', async () => {
    for (let round = 0; round < 5; round++) {
      const person = newPerson();
      const token = await requestLink(person.email);
      const [, set] = await Promise.all([enroll(person.email, person), setPassword({ ...person, token })]);
      assert.equal(set.status, 200);
      assert.deepEqual(
        (await listPatients(person.email)).map(({ heads }) => heads),
        [1],
      );
    }
  });

  it('is the same patient when the enrollment comes after the account', async () => {
    const { email, firstName, lastName } = await newAccount(service, browser());
    const [known] = await listPatients(email);
    assert.equal(await enroll(email, { firstName, lastName }), known?.patient_id);
  });
});

describe('a link', () => {
  it('works once', async () => {
    const person = newPerson();
    const token = await requestLink(person.email);
    assert.equal((await setPassword({ ...person, token })).status, 200);
    const second = await setPassword({ ...person, token, password: 'another long password' });
    assert.deepEqual(getStatusAndCode(second), refused);
    assert.deepEqual(getStatusAndCode(await browser().post('/account/link', { token })), refused);
    assert.equal((await signIn(person)).status, 200);
  });

  it('works once when used many times at once', async () => {
    const person = newPerson();
    const token = await requestLink(person.email);
    const answers = await Promise.all(Array.from({ length: 8 }, () => setPassword({ ...person, token })));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ status }) => status === 404).length, 7);
    assert.equal((await listPatients(person.email)).length, 1);
  });

  it('ends with any other of its address that is used; two at once make one patient and one password', async () => {
    const person = newPerson();
    const tokens = [
      await requestLink(person.email),
      await requestLink(person.email),
      await requestLink(person.email),
    ];
    const passwords = tokens.map((_, index) => `a long password ${index}`);
    const answers = await Promise.all(
      tokens.map((token, index) => setPassword({ ...person, token, password: passwords[index] })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).sort((one, other) => one - other),
      [200, 404, 404],
    );
    assert.deepEqual(
      (await listPatients(person.email)).map(({ heads }) => heads),
      [1],
    );
    const winner = answers.findIndex(({ status }) => status === 200);
    for (const [index, password] of passwords.entries())
      assert.equal((await signIn({ ...person, password })).status, index === winner ? 200 : 401);
  });

  it('lasts 24 hours for a new account and one hour for a new password', async () => {
    const person = newPerson();
    const first = await requestLink(person.email);
    service.clock.advance(24 * HOUR_MS - 60_000);
    assert.equal((await browser().post('/account/link', { token: first })).status, 200);
    service.clock.advance(60_000);
    assert.deepEqual(getStatusAndCode(await browser().post('/account/link', { token: first })), refused);
    assert.deepEqual(getStatusAndCode(await setPassword({ ...person, token: first })), refused);
    assert.deepEqual(await listPatients(person.email), []);

    await setPassword({ ...person, token: await requestLink(person.email) });
    const second = await requestLink(person.email);
    service.clock.advance(HOUR_MS - 60_000);
    assert.equal((await browser().post('/account/link', { token: second })).status, 200);
    service.clock.advance(60_000);
    assert.deepEqual(getStatusAndCode(await setPassword({ ...person, token: second })), refused);
    assert.equal((await signIn(person)).status, 200);
  });

  it('is not kept as it is', async () => {
    const { email } = newPerson();
    const token = await requestLink(email);
    const rows = await service.store.db.query(sql`select * from account_link where email = ${email}`);
    assert.equal(rows.length, 1);
    assert.ok(!JSON.stringify(rows).includes(token));
    assert.deepEqual(await service.store.db.query(sql`select from job where kind = 'mail'`), []);
  });

  it('sets no password of a test patient, whose organization does, even if one existed', async () => {
    const { id, email } = await newTestPatient(service, { consent: false });
    const token = 'x'.repeat(43);
    await service.store.db.query(sql`
      insert into account_link (link_hash, email, created_at, expires_at)
      values (sha256(${token}::text::bytea), ${email}, ${service.clock.now()}, ${new Date(Date.now() + 99 * HOUR_MS)})`);
    const before = await service.store.db.query(sql`select * from patient_password where patient_id = ${id}`);
    assert.deepEqual(
      getStatusAndCode(await setPassword({ token, password: 'a long enough password' })),
      refused,
    );
    const now = await service.store.db.query(sql`select * from patient_password where patient_id = ${id}`);
    assert.deepEqual(now, before);
  });
});

describe('a new password', () => {
  it('ends the old one and all sessions, and leaves the browser that set it signed in', async () => {
    const [laptop, phone] = [browser(), browser()];
    const person = await newAccount(service, laptop);
    assert.equal((await signIn(person, phone)).status, 200);
    await phone.post('/account/forgotten-password', { email: person.email });
    const token = extractLinkToken(await waitForMail(service, person.email, 2));
    const password = 'an entirely new password';
    assert.equal((await setPassword({ token, password }, phone)).status, 200);
    assert.equal(await getSessionPerson(laptop), null);
    assert.notEqual(await getSessionPerson(phone), null);
    assert.equal((await signIn(person)).status, 401);
    assert.equal((await signIn({ ...person, password })).status, 200);
  });

  it('ends a session that is begun with the old one at the same moment', async () => {
    for (let round = 0; round < 4; round++) {
      const person = await newAccount(service, browser());
      const token = await requestLink(person.email);
      const thieves = Array.from({ length: 4 }, browser);
      await Promise.all([
        setPassword({ token, password: 'an entirely new password' }),
        ...thieves.map((thief) => signIn(person, thief)),
      ]);
      for (const thief of thieves) assert.equal(await getSessionPerson(thief), null);
    }
  });
});
