import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newAccount, type TestAccount } from '../harness/account.ts';
import { waitForMail } from '../harness/mails.ts';
import { newTestPatient, startTestService, type TestService } from '../harness/service.ts';
import { createTestBrowser, type TestBrowser } from '../harness/test-browser.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
const NEW_PASSWORD = 'another horse, another battery';

interface OwnSession {
  id: string;
  device: string;
  isThis: boolean;
}

let service: TestService;
before(async () => void (service = await startTestService()));
after(() => service.stop());

async function signIn(person: TestAccount, userAgent?: string): Promise<TestBrowser> {
  const browser = createTestBrowser(service);
  const { email, password } = person;
  const headers = userAgent === undefined ? {} : { 'user-agent': userAgent };
  assert.equal((await browser.post('/account/sign-in', { email, password }, headers)).status, 200);
  return browser;
}

const newPerson = (): Promise<TestAccount> => newAccount(service, createTestBrowser(service));

const listSessions = async (browser: TestBrowser): Promise<OwnSession[]> =>
  (await browser.get('/account/sessions')).body.sessions as OwnSession[];

const isSignedIn = async (browser: TestBrowser): Promise<boolean> =>
  (await browser.get('/account/session')).body.person !== null;

const listEvents = async (browser: TestBrowser): Promise<{ kind: string; device: string }[]> =>
  (await browser.get('/account/events')).body.events as { kind: string; device: string }[];

describe('the sessions of a person', () => {
  it('are listed with their device, and ended one by one from another', async () => {
    const jo = await newPerson();
    const [desk, phone] = [await signIn(jo), await signIn(jo, FIREFOX)];
    const sessions = await listSessions(desk);
    assert.equal(sessions.length, 3);
    assert.equal(sessions.filter(({ isThis }) => isThis).length, 1);
    const other = sessions.find(({ device }) => device === 'Firefox, Linux');
    assert.equal(other?.isThis, false);
    assert.equal((await desk.post('/account/sessions/end', { id: other.id })).status, 204);
    assert.equal(await isSignedIn(phone), false);
    assert.equal(await isSignedIn(desk), true);
    assert.equal((await desk.post('/account/sessions/end', { id: other.id })).status, 404);
    assert.deepEqual(
      (await listEvents(desk)).map(({ kind, device }) => `${kind} ${device}`),
      ['session_ended Firefox, Linux', 'signed_in Firefox, Linux', 'signed_in ', 'password_chosen '],
    );
  });

  it('are ended at once everywhere else, each with its entry', async () => {
    const jo = await newPerson();
    const [desk, phone, tablet] = [await signIn(jo), await signIn(jo, FIREFOX), await signIn(jo)];
    const stranger = await signIn(await newPerson());
    assert.equal((await desk.post('/account/sessions/end-others')).status, 204);
    assert.deepEqual(await Promise.all([desk, phone, tablet, stranger].map(isSignedIn)), [
      true,
      false,
      false,
      true,
    ]);
    assert.deepEqual(
      (await listSessions(desk)).map(({ isThis }) => isThis),
      [true],
    );
    const ended = (await listEvents(desk)).filter(({ kind }) => kind === 'session_ended');
    assert.deepEqual(ended.map(({ device }) => device).sort(), ['', '', 'Firefox, Linux']);
    assert.equal((await desk.post('/account/sessions/end-others')).status, 204);
    assert.equal((await listEvents(desk)).filter(({ kind }) => kind === 'session_ended').length, 3);
  });

  it('are nobody else’s: neither listed nor ended, nor what happened to the account', async () => {
    const [jo, kim] = [await newPerson(), await newPerson()];
    const [hers, his] = [await signIn(jo), await signIn(kim)];
    const [first] = await listSessions(hers);
    assert.ok(first);
    assert.equal((await his.post('/account/sessions/end', { id: first.id })).status, 404);
    assert.equal(await isSignedIn(hers), true);
    assert.ok(!(await listSessions(his)).some(({ id }) => id === first.id));
    assert.equal((await listEvents(his)).length, 2);
  });
});

describe('a change of the password while signed in', () => {
  const change = (browser: TestBrowser, currentPassword: string, newPassword = NEW_PASSWORD) =>
    browser.post('/account/password/change', { currentPassword, newPassword });

  it('keeps this browser, ends every other session, and is notified by mail and in the log', async () => {
    const jo = await newPerson();
    const [desk, phone] = [await signIn(jo), await signIn(jo)];
    assert.equal((await change(desk, jo.password)).status, 204);
    assert.deepEqual([await isSignedIn(desk), await isSignedIn(phone)], [true, false]);
    assert.equal((await listSessions(desk)).length, 1);
    assert.equal((await listEvents(desk))[0]?.kind, 'password_changed');
    assert.match((await waitForMail(service, jo.email, 2)).subject ?? '', /password was changed/);
    const withOld = { email: jo.email, password: jo.password };
    assert.equal((await createTestBrowser(service).post('/account/sign-in', withOld)).status, 401);
    await signIn({ ...jo, password: NEW_PASSWORD });
  });

  it('needs the present password and a good new one; else nothing changes', async () => {
    const jo = await newPerson();
    const desk = await signIn(jo);
    const wrong = await change(desk, 'not the password');
    assert.deepEqual([wrong.status, wrong.body.code], [401, 'invalid_credentials']);
    const weak = await change(desk, jo.password, 'password1234');
    assert.deepEqual([weak.status, weak.body.code], [400, 'weak_password']);
    await signIn(jo);
    assert.equal(await isSignedIn(desk), true);
  });

  it('is none for a test patient, whose organization sets it', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const browser = createTestBrowser(service);
    const { email, password } = patient;
    assert.equal((await browser.post('/account/sign-in', { email, password })).status, 200);
    assert.equal((await change(browser, password)).status, 403);
  });

  it('of two at once lets one through', async () => {
    const jo = await newPerson();
    const [desk, phone] = [await signIn(jo), await signIn(jo)];
    const answers = await Promise.all([
      change(desk, jo.password),
      change(phone, jo.password, 'a third horse, a third battery'),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [204, 401],
    );
  });
});
