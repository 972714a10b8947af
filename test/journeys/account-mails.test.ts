import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { sql } from '../../server/platform/db/sql.ts';
import { newAccount, newPerson, requestMailedLink } from '../harness/account.ts';
import { extractLinkToken, listMailsTo, waitForMail } from '../harness/mails.ts';
import { findFreePort } from '../harness/postgres.ts';
import { newTestPatient, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { createTestBrowser, type TestBrowser } from '../harness/test-browser.ts';

let service: TestService;
before(
  async () =>
    void (service = await startTestService({
      environment: { CHARTGATE_TRUSTED_PROXIES: '127.0.0.1', CHARTGATE_SIGN_UP_LIMIT: '20' },
    })),
);
after(() => service.stop());

let clients = 0;
const browser = (): TestBrowser =>
  createTestBrowser(service, { 'x-forwarded-for': `203.0.113.${++clients}` });
const ASKS = ['/account/sign-up', '/account/forgotten-password'] as const;
const requestMail = (json: object, on = browser(), url: string = ASKS[0]): Promise<HttpResponse> =>
  on.post(url, json);
const getBody = (mail: Email): string => mail.text ?? '';

describe('the mail with the link', () => {
  for (const url of ASKS) {
    it(`asks a stranger to create an account, and says to somebody who has one that they do: ${url}`, async () => {
      const { email } = newPerson();
      await requestMail({ email }, browser(), url);
      const stranger = await waitForMail(service, email);
      assert.equal(stranger.subject, 'Create your account');
      assert.match(getBody(stranger), /once, for 24 hours/);
      assert.doesNotMatch(getBody(stranger), /already have an account/);

      const known = await newAccount(service, browser());
      await requestMail({ email: known.email }, browser(), url);
      const owner = await waitForMail(service, known.email, 2);
      assert.equal(owner.subject, 'Your account: choose a new password');
      for (const words of [
        /already have an account/,
        /just sign in/,
        /once, for one hour/,
        /ignore this message/,
      ])
        assert.match(getBody(owner), words);
    });
  }

  it('is in Spanish for who asks in Spanish', async () => {
    const { email } = newPerson();
    await requestMail({ email, language: 'es' });
    const stranger = await waitForMail(service, email);
    assert.equal(stranger.subject, 'Cree su cuenta');
    assert.match(getBody(stranger), /elija su contraseña/);
    const known = await newAccount(service, browser());
    await requestMail({ email: known.email, language: 'es' });
    const owner = await waitForMail(service, known.email, 2);
    assert.equal(owner.subject, 'Su cuenta: elija una contraseña nueva');
    assert.match(getBody(owner), /Ya tiene una cuenta/);
  });

  it('gives the account its language, and the page that is used then changes it', async () => {
    const on = browser();
    const { email, ...person } = newPerson();
    const token = await requestMailedLink(service, on, { email, language: 'es' });
    await on.post('/account/password', { token, ...person });
    const passwords = [person.password, 'another good one of mine', 'and a third one of mine'] as const;
    const change = (from: 0 | 1) =>
      on.post('/account/password/change', {
        currentPassword: passwords[from],
        newPassword: passwords[from + 1],
      });
    assert.equal((await change(0)).status, 204);
    assert.equal((await waitForMail(service, email, 2)).subject, 'Su contraseña ha cambiado');
    assert.equal((await on.post('/account/language', { language: 'en' })).status, 204);
    assert.equal((await change(1)).status, 204);
    assert.equal((await waitForMail(service, email, 3)).subject, 'Your password was changed');
    assert.equal((await on.post('/account/language', { language: 'es' })).status, 204);
    assert.equal((await on.post('/account/delete', { password: passwords[2] })).status, 204);
    assert.equal((await listMailsTo(service, email)).at(-1)?.subject, 'Su cuenta se ha eliminado');
  });

  it('leads to the consent page with the secret behind the #, where no server sees it', async () => {
    const { email } = newPerson();
    await requestMail({ email });
    const mail = await waitForMail(service, email);
    const links = getBody(mail).match(/https?:\/\/\S+/g) ?? [];
    assert.equal(links.length, 1);
    const url = new URL(links[0]);
    assert.equal(url.href.slice(0, url.href.indexOf('/#')), service.config.http.consentAppUrl);
    assert.match(url.hash, /^#\/account\/link\/[\w-]{43}$/);
    assert.equal(url.search, '');
  });

  it('names nobody: no project, no organization, no client, not even the person', async () => {
    const person = await newAccount(service, browser());
    await requestMail({ email: person.email, continueWith: 'request-1' });
    const mail = await waitForMail(service, person.email, 2);
    const whole = `${mail.subject} ${getBody(mail)} ${mail.html ?? ''}`;
    for (const word of ['Study', 'Clinic', 'request-1', person.firstName, person.lastName, person.email])
      assert.ok(!whole.includes(word), word);
    assert.equal(mail.to?.length, 1);
    assert.equal(mail.cc?.length ?? 0, 0);
  });

  for (const email of [
    'a@mail.example\r\nBcc: all@mail.example',
    'a@mail.example, b@mail.example',
    'no address',
  ]) {
    it(`is not sent to ${JSON.stringify(email)}`, async () => {
      assert.equal((await requestMail({ email })).status, 400);
    });
  }
});

describe('asking for mails', () => {
  it('sends three an hour to one address, whoever asks, and answers the fourth the same', async () => {
    const { email } = newPerson();
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => requestMail({ email }, browser(), ASKS[index % 2])),
    );
    for (const { status, body } of answers) assert.deepEqual([status, body], [202, { status: 'sent' }]);
    await waitForMail(service, email, 3);
    assert.equal((await listMailsTo(service, email)).length, 3);
    await service.store.db.query(sql`update rate_limit set expire = 0`);
    await requestMail({ email });
    await waitForMail(service, email, 4);
  });

  it('is answered 429 with Retry-After after twenty from one client address, for both pages together', async () => {
    const [busy, other] = [browser(), browser()];
    for (let count = 0; count < 20; count++)
      assert.equal((await requestMail({ email: newPerson().email }, busy, ASKS[count % 2])).status, 202);
    for (const url of ASKS) {
      const { status, headers, body } = await requestMail({ email: newPerson().email }, busy, url);
      assert.deepEqual([status, body.code], [429, 'too_many_attempts']);
      const seconds = Number(headers.get('retry-after'));
      assert.ok(seconds > 3500 && seconds <= 3600);
    }
    assert.equal((await requestMail({ email: newPerson().email }, other)).status, 202);
  });

  it('counts addresses without keeping them', async () => {
    const rows = await service.store.db.query(sql<{ key: string }>`select key from rate_limit`);
    assert.ok(rows.length > 20);
    for (const { key } of rows) assert.match(key, /^\w+:[\w-]{43}$/);
  });

  it('sends nothing to a test patient, whose password is the organization’s, and answers the same', async () => {
    const { email } = await newTestPatient(service, { consent: false });
    for (const url of ASKS) {
      const { status, body } = await requestMail({ email }, browser(), url);
      assert.deepEqual([status, body], [202, { status: 'sent' }]);
    }
    assert.deepEqual(await listMailsTo(service, email), []);
    const links = await service.store.db.query(sql`select from account_link where email = ${email}`);
    assert.equal(links.length, 0);
  });
});

describe('over SMTP', () => {
  it('the mail comes to the mail server as it is in the outbox, and its link works', async () => {
    const port = await findFreePort();
    const received: string[] = [];
    const recipients: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onData(stream, session, done) {
        recipients.push(...session.envelope.rcptTo.map(({ address }) => address));
        void text(stream).then((mail) => {
          received.push(mail);
          done();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const mailing = await startTestService({ environment: { SMTP_URL: `smtp://127.0.0.1:${port}` } });
    try {
      const on = createTestBrowser(mailing);
      const person = newPerson();
      assert.equal((await on.post('/account/sign-up', { email: person.email, language: 'es' })).status, 202);
      while (received.length === 0) {
        await mailing.worker.drain();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.deepEqual(recipients, [person.email]);
      const mail = await PostalMime.parse(received[0] as string);
      assert.equal(mail.subject, 'Cree su cuenta');
      assert.equal(mail.from?.address, 'no-reply@chartgate.invalid');
      const set = await on.post('/account/password', { ...person, token: extractLinkToken(mail) });
      assert.equal(set.status, 200);
      assert.deepEqual(await listMailsTo(mailing, person.email), [], 'nothing is written to files then');
    } finally {
      await mailing.stop();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
  });
});
