import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newAccount, newPerson, requestMailedLink, type TestAccount } from '../harness/account.ts';
import { extractLinkToken, listMailsTo, waitForMail } from '../harness/mails.ts';
import { newTestPatient, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { invite, newStudy } from '../harness/study.ts';
import { createTestBrowser, type TestBrowser } from '../harness/test-browser.ts';

const HOUR_MS = 3_600_000;
const NEW_PASSWORD = 'another horse, another battery';

let service: TestService;
before(async () => {
  service = await startTestService({ environment: { CHARTGATE_SIGN_UP_LIMIT: '1000' } });
});
after(() => service.stop());

interface Jo extends TestAccount {
  browser: TestBrowser;
}

async function newJo(): Promise<Jo> {
  const browser = createTestBrowser(service);
  return { ...(await newAccount(service, browser)), browser };
}

const request = (jo: Jo, email: string, more: object = {}): Promise<HttpResponse> =>
  jo.browser.post('/account/email', { email, currentPassword: jo.password, ...more });

/** Asks for another address, and returns it with the secret of the link that was mailed there. */
async function requestLink(jo: Jo, email = newPerson().email): Promise<{ email: string; token: string }> {
  const before = (await listMailsTo(service, email)).length;
  assert.equal((await request(jo, email)).status, 202);
  return { email, token: extractLinkToken(await waitForMail(service, email, before + 1), 'email') };
}

const follow = (token: string, browser = createTestBrowser(service)): Promise<HttpResponse> =>
  browser.post('/account/email/confirm', { token });
const open = (token: string, browser = createTestBrowser(service)): Promise<HttpResponse> =>
  browser.post('/account/email/link', { token });
const cancel = (token: string, browser = createTestBrowser(service)): Promise<HttpResponse> =>
  browser.post('/account/email/cancel', { token });
const NOBODY = { person: null, isOwnAccount: false };

/** Changes the address, and returns the new one with the secret of the link that leads back. */
async function change(jo: Jo): Promise<{ email: string; back: string }> {
  const { email, token } = await requestLink(jo);
  assert.equal((await follow(token, jo.browser)).status, 200);
  const mails = await listMailsTo(service, jo.email);
  return { email, back: extractLinkToken(mails.at(-1) ?? assert.fail('no mail'), 'email') };
}

const signIn = async (email: string, password: string): Promise<number> =>
  (await createTestBrowser(service).post('/account/sign-in', { email, password })).status;
const getAddress = async ({ browser }: Jo): Promise<unknown> =>
  ((await browser.get('/account/session')).body.person as { email: string } | null)?.email;
const listEvents = async ({ browser }: Jo): Promise<string[]> =>
  ((await browser.get('/account/events')).body.events as { kind: string }[]).map(({ kind }) => kind);
const assertDead = async (answer: HttpResponse): Promise<void> =>
  assert.deepEqual([answer.status, answer.body.code], [404, 'link_invalid']);

/** Attack case 532, and case 534. */
describe('another e-mail address', () => {
  it('is the account’s once its link is followed by who is signed in to it, on any device', async () => {
    const jo = await newJo();
    const { email, token } = await requestLink(jo);
    assert.equal(await getAddress(jo), jo.email, 'nothing changes before');
    const phone = createTestBrowser(service);
    assert.deepEqual((await open(token, phone)).body, { email, isRestoration: false, ...NOBODY });
    const login = { email: jo.email, password: jo.password };
    assert.equal((await phone.post('/account/sign-in', login)).status, 200);
    const opened = (await open(token, phone)).body as { person: { email: string }; isOwnAccount: boolean };
    assert.deepEqual([opened.person.email, opened.isOwnAccount], [jo.email, true]);
    assert.deepEqual((await follow(token, phone)).body, { email, isRestoration: false, passwordToken: null });
    assert.equal(await getAddress(jo), email, 'who was signed in still is');
    assert.deepEqual(
      await Promise.all([email, jo.email].map((each) => signIn(each, jo.password))),
      [200, 401],
    );
    assert.equal((await listEvents(jo)).filter((kind) => kind === 'email_changed').length, 1);
    await requestMailedLink(service, createTestBrowser(service), { email });
    assert.equal((await listMailsTo(service, email)).at(-1)?.subject, 'Your account: choose a new password');
    await assertDead(await follow(token, phone));
  });

  it('takes no other address with it: whoever gets the former one begins anew', async () => {
    const jo = await newJo();
    await change(jo);
    const token = await requestMailedLink(service, createTestBrowser(service), { email: jo.email });
    const stranger = createTestBrowser(service);
    assert.equal((await stranger.post('/account/link', { token })).body.needsName, true);
    const { firstName, lastName } = jo;
    const made = await stranger.post('/account/password', {
      token,
      password: NEW_PASSWORD,
      firstName,
      lastName,
    });
    assert.equal(made.status, 200);
    assert.notEqual(await getAddress(jo), jo.email);
  });

  it('needs the password, which is guessed at no more often than at a sign-in', async () => {
    const jo = await newJo();
    const { email } = newPerson();
    const wrong = await request(jo, email, { currentPassword: 'not the password' });
    assert.deepEqual([wrong.status, wrong.body.code], [401, 'invalid_credentials']);
    assert.deepEqual(await listMailsTo(service, email), []);
    const nobody = await createTestBrowser(service).post('/account/email', {
      email,
      currentPassword: jo.password,
    });
    assert.deepEqual([nobody.status, nobody.body.code], [401, 'not_signed_in']);
  });

  it('is none where it is the same, is no address, or the account is of a test patient', async () => {
    const jo = await newJo();
    for (const email of [
      jo.email,
      jo.email.toUpperCase(),
      'no address',
      'a@mail.example\r\nBcc: b@mail.example',
    ])
      assert.equal((await request(jo, email)).status, 400, email);
    const patient = await newTestPatient(service);
    const browser = createTestBrowser(service);
    const { email, password } = patient;
    assert.equal((await browser.post('/account/sign-in', { email, password })).status, 200);
    const refused = await request({ ...jo, browser, password }, newPerson().email);
    assert.deepEqual([refused.status, refused.body.code], [403, 'test_patient']);
  });

  it('is not said to be taken but to who reads its mails', async () => {
    const [jo, kim] = [await newJo(), await newJo()];
    const answer = await request(jo, kim.email);
    assert.deepEqual([answer.status, answer.body], [202, { status: 'sent' }]);
    const mail = await waitForMail(service, kim.email, 2);
    assert.equal(mail.subject, 'Your account: this e-mail address is in use');
    assert.doesNotMatch(mail.text ?? '', /https?:/);
  });

  it('may be one that an organization has enrolled, which nobody signs in with', async () => {
    const jo = await newJo();
    const { email } = newPerson();
    const study = await newStudy(service);
    await invite(service, study, [{ ...newPerson(), email }]);
    const stranger = createTestBrowser(service);
    const invitation = await requestMailedLink(service, stranger, { email });
    const { token } = await requestLink(jo, email);
    assert.equal((await follow(token, jo.browser)).status, 200);
    assert.equal(await getAddress(jo), email);
    await assertDead(await stranger.post('/account/password', { token: invitation, password: NEW_PASSWORD }));
    const page = await jo.browser.get(`/account/enrollments/${study}`);
    assert.equal(page.body.enrolled, true, 'the invitation leads to who has the address');
  });

  it('stays who has it when two ask for it, or somebody makes an account with it meanwhile', async () => {
    const [jo, kim] = [await newJo(), await newJo()];
    const { email, token } = await requestLink(jo);
    const { token: second } = await requestLink(kim, email);
    const answers = await Promise.all([follow(token, jo.browser), follow(second, kim.browser)]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 409],
    );
    assert.equal(answers.find(({ status }) => status === 409)?.body.code, 'address_taken');
    const addresses = await Promise.all([getAddress(jo), getAddress(kim)]);
    assert.equal(addresses.filter((address) => address === email).length, 1);
  });

  it('comes by a link that works once, for an hour, and under the password that asked for it', async () => {
    const jo = await newJo();
    const { token } = await requestLink(jo);
    const twice = await Promise.all([follow(token, jo.browser), follow(token, jo.browser)]);
    assert.deepEqual(
      twice.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 404],
    );

    const late = await newJo();
    const { token: old } = await requestLink(late);
    service.clock.advance(HOUR_MS + 1000);
    await assertDead(await open(old));
    await assertDead(await follow(old, late.browser));

    const other = await newJo();
    const { token: before } = await requestLink(other);
    const changed = { currentPassword: other.password, newPassword: NEW_PASSWORD };
    assert.equal((await other.browser.post('/account/password/change', changed)).status, 204);
    await assertDead(await open(before));
    await assertDead(await follow(before, other.browser));
    await assertDead(await follow('x'.repeat(43)));
  });

  it('ends the other links that were asked for, to this and to the former address', async () => {
    const jo = await newJo();
    const renewal = await requestMailedLink(service, createTestBrowser(service), { email: jo.email });
    const [first, second] = [await requestLink(jo), await requestLink(jo)];
    assert.equal((await follow(second.token, jo.browser)).status, 200);
    await assertDead(await follow(first.token, jo.browser));
    await assertDead(await createTestBrowser(service).post('/account/link', { token: renewal }));
  });

  it('is either confirmed or ended, when both are asked for at once, and each answer says which', async () => {
    for (let count = 0; count < 6; count++) {
      const jo = await newJo();
      const { email, token } = await requestLink(jo);
      const { token: second } = await requestLink(jo, email);
      const phone = createTestBrowser(service);
      const [confirmed, ended] = await Promise.all([
        follow(token, jo.browser),
        cancel(count % 2 === 0 ? token : second, phone),
      ]);
      const isConfirmed = confirmed.status === 200;
      assert.deepEqual([confirmed.status, ended.status], isConfirmed ? [200, 404] : [404, 204]);
      assert.equal(await getAddress(jo), isConfirmed ? email : jo.email);
      await assertDead(isConfirmed ? ended : confirmed);
    }
  });

  it('is not said to be ended where nothing is: once it is confirmed, or was ended before', async () => {
    const jo = await newJo();
    const { email, token } = await requestLink(jo);
    assert.equal((await follow(token, jo.browser)).status, 200);
    await assertDead(await cancel(token));
    assert.equal(await getAddress(jo), email);
    const { token: other } = await requestLink({ ...jo, email });
    const twice = await Promise.all([cancel(other), cancel(other)]);
    assert.deepEqual(
      twice.map(({ status }) => status).toSorted((one, another) => one - another),
      [204, 404],
    );
    await assertDead(await cancel(other));
  });

  it('is mailed in the language of the page, and names nobody', async () => {
    const jo = await newJo();
    const { email } = newPerson();
    assert.equal((await request(jo, email, { language: 'es' })).status, 202);
    const asked = await waitForMail(service, email);
    assert.equal(asked.subject, 'Confirme su nueva dirección de correo');
    await jo.browser.post('/account/language', { language: 'es' });
    assert.equal((await follow(extractLinkToken(asked, 'email'), jo.browser)).status, 200);
    const notified = (await listMailsTo(service, jo.email)).at(-1);
    assert.equal(notified?.subject, 'La dirección de correo de su cuenta ha cambiado');
    for (const word of [email, jo.email, jo.firstName, jo.lastName])
      for (const mail of [asked, notified]) assert.ok(!(mail.text ?? '').includes(word), word);
  });

  it('is sent three times an hour to one address, whoever asks', async () => {
    const { email } = newPerson();
    for (let count = 0; count < 5; count++) assert.equal((await request(await newJo(), email)).status, 202);
    assert.equal((await listMailsTo(service, email)).length, 3);
  });
});

/** Attack case 533. */
describe('a change of the address by somebody else', () => {
  it('is mailed to the former one, with a link that leads back and shuts out whoever made it', async () => {
    const jo = await newJo();
    const { email, back } = await change(jo);
    assert.deepEqual((await open(back)).body, { email: jo.email, isRestoration: true, ...NOBODY });
    const desk = createTestBrowser(service);
    const { body } = await follow(back, desk);
    assert.deepEqual([body.email, body.isRestoration], [jo.email, true]);
    assert.equal(await getAddress(jo), undefined, 'every session has ended');
    assert.deepEqual(
      await Promise.all([email, jo.email].map((each) => signIn(each, jo.password))),
      [401, 401],
      'the password that was known is none any more',
    );
    const { passwordToken: token } = body;
    const opened = await desk.post('/account/link', { token });
    assert.deepEqual([opened.body.email, opened.body.hasPassword], [jo.email, true]);
    assert.equal((await desk.post('/account/password', { token, password: NEW_PASSWORD })).status, 200);
    assert.equal(await signIn(jo.email, NEW_PASSWORD), 200);
    assert.equal(
      (await listEvents({ ...jo, browser: desk })).filter((kind) => kind === 'email_restored').length,
      1,
    );
    await assertDead(await follow(back));
  });

  it('is led back after any number of changes, and after one of the password', async () => {
    const jo = await newJo();
    const { email: second, back } = await change(jo);
    await change({ ...jo, email: second });
    const changed = { currentPassword: jo.password, newPassword: NEW_PASSWORD };
    assert.equal((await jo.browser.post('/account/password/change', changed)).status, 204);
    const { token: pending } = await requestLink({ ...jo, password: NEW_PASSWORD });
    assert.equal((await follow(back)).body.email, jo.email);
    await assertDead(await follow(pending));
  });

  it('is led back by the oldest link, though whoever changed it twice led it back to their own in between', async () => {
    const jo = await newJo();
    const { email: theirs, back } = await change(jo);
    const { back: between } = await change({ ...jo, email: theirs });
    const { body } = await follow(between);
    assert.equal(body.email, theirs);
    const intruder = createTestBrowser(service);
    const chosen = { token: body.passwordToken, password: NEW_PASSWORD };
    assert.equal((await intruder.post('/account/password', chosen)).status, 200);
    assert.equal((await follow(back)).body.email, jo.email);
    assert.deepEqual(
      await Promise.all([theirs, jo.email].map((each) => signIn(each, NEW_PASSWORD))),
      [401, 401],
    );
    await assertDead(await follow(between));
  });

  it('is led back though an organization has enrolled the former address meanwhile', async () => {
    const jo = await newJo();
    const { back } = await change(jo);
    const study = await newStudy(service);
    await invite(service, study, [{ ...newPerson(), email: jo.email }]);
    assert.equal((await follow(back)).body.email, jo.email);
  });

  it('is led back for a week, and not once the account is deleted', async () => {
    const jo = await newJo();
    const { back } = await change(jo);
    service.clock.advance(7 * 24 * HOUR_MS + 1000);
    await assertDead(await follow(back));

    const gone = await newJo();
    const { back: dead } = await change(gone);
    assert.equal((await gone.browser.post('/account/delete', { password: gone.password })).status, 204);
    await assertDead(await open(dead));
    await assertDead(await follow(dead));
  });
});
