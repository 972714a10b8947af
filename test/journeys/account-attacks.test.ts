import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { requestMailedLink, newAccount, newPerson, type TestAccount } from '../harness/account.ts';
import { listMailsTo } from '../harness/mails.ts';
import {
  call,
  newTestPatient,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { useRealPasswordCost } from '../harness/password-cost.ts';
import { createTestBrowser, type RequestHeaders, type TestBrowser } from '../harness/test-browser.ts';

useRealPasswordCost();

let service: TestService;
let jo: TestAccount;
before(async () => {
  service = await startTestService({ environment: { CHARTGATE_TRUSTED_PROXIES: '127.0.0.1' } });
  jo = await newAccount(service, browser());
});
after(() => service.stop());

let clients = 0;
const newAddress = (): string => `192.0.2.${++clients}`;
const browser = (address = newAddress()): TestBrowser =>
  createTestBrowser(service, { 'x-forwarded-for': address });

const signIn = (email: string, password: string, on = browser()): Promise<HttpResponse> =>
  on.post('/account/sign-in', { email, password });
const listStatuses = (answers: readonly HttpResponse[]): number[] =>
  answers.map(({ status }) => status).sort((one, other) => one - other);
/** What the requester can see of an answer. */
const toComparable = ({ status, headers, body }: HttpResponse): unknown => ({
  status,
  body,
  headers: [...headers.keys()].filter((name) => name !== 'date'),
});

describe('a request that our page did not send', () => {
  /** Everything that these endpoints could change. */
  const readState = (): Promise<unknown> =>
    one(
      service.store.db,
      sql`select
        (select json_agg(s order by session_hash) from account_session s)::text as sessions,
        (select json_agg(l order by link_hash) from account_link l)::text as links,
        (select json_agg(w order by patient_id) from patient_password w)::text as passwords,
        (select json_agg(t order by key) from rate_limit t)::text as counted,
        (select count(*) from job) as jobs, (select count(*) from patient) as patients`,
    );

  const forgeries: [string, (on: TestBrowser) => Promise<RequestHeaders>][] = [
    ['without its proof', async () => ({ 'x-csrf-token': undefined })],
    ['with an empty proof', async () => ({ 'x-csrf-token': '' })],
    ['with a wrong proof', async () => ({ 'x-csrf-token': 'A'.repeat(43) })],
    ['with the proof of another browser', async () => ({ 'x-csrf-token': await browser().csrfToken() })],
    [
      'with our browser’s cookie itself for a proof',
      async (on) => {
        await on.csrfToken();
        return { 'x-csrf-token': on.cookies.get('chartgate-browser') };
      },
    ],
    ['from a foreign page', async () => ({ origin: 'https://evil.example' })],
    ['from a page on another port of this host', async () => ({ origin: 'http://127.0.0.1:1' })],
    ['from a sandboxed frame', async () => ({ origin: 'null' })],
    ['marked cross-site by the browser', async () => ({ 'sec-fetch-site': 'cross-site' })],
    ['marked same-site by the browser', async () => ({ 'sec-fetch-site': 'same-site' })],
    [
      'as a form',
      async () => ({ 'x-csrf-token': undefined, 'content-type': 'application/x-www-form-urlencoded' }),
    ],
  ];

  for (const [how, headersOf] of forgeries) {
    it(`${how} is refused, and nothing has changed`, async () => {
      const on = browser();
      await on.post('/account/sign-in', { email: jo.email, password: jo.password });
      const token = await requestMailedLink(service, browser(), { email: newPerson().email });
      await service.store.db.query(sql`delete from rate_limit`);
      const requests: [string, unknown][] = [
        ['/account/sign-in', { email: jo.email, password: jo.password }],
        ['/account/sign-out', undefined],
        ['/account/sign-up', { email: jo.email }],
        ['/account/forgotten-password', { email: jo.email }],
        ['/account/link', { token }],
        ['/account/password', { token, ...newPerson() }],
      ];
      const headers = await headersOf(on);
      const before = await readState();
      for (const [url, json] of requests) {
        const answer = await on.post(url, json, headers);
        const { status } = answer;
        assert.ok(status === 403 || (status === 415 && how === 'as a form'), `${url}: ${status}`);
        assert.deepEqual(answer.headers.getSetCookie(), []);
      }
      assert.deepEqual(await readState(), before);
      assert.equal((await on.get('/account/session')).body.person.email, jo.email);
    });
  }

  it('says csrf, so that the page can load itself anew', async () => {
    const { status, body } = await browser().post('/account/sign-out', undefined, { 'x-csrf-token': 'x' });
    assert.deepEqual([status, body.code], [403, 'csrf']);
  });

  it('is distinguished from one of our page, which browsers mark same-origin', async () => {
    const { status } = await browser().post('/account/sign-out', undefined, {
      'sec-fetch-site': 'same-origin',
    });
    assert.equal(status, 204);
  });
});

describe('somebody who wants to know who has an account', () => {
  it('is answered the same for addresses with an account, without one and of test patients', async () => {
    const { email: test } = await newTestPatient(service, { consent: false });
    for (const url of ['/account/sign-up', '/account/forgotten-password']) {
      const answers: unknown[] = [];
      for (const email of [jo.email, newPerson().email, test]) {
        const on = browser();
        await on.csrfToken();
        answers.push(toComparable(await on.post(url, { email })));
      }
      assert.deepEqual(answers[1], answers[0]);
      assert.deepEqual(answers[2], answers[0]);
    }
    assert.equal((await listMailsTo(service, test)).length, 0);
  });

  it('is answered the same for a wrong password and an unknown address, at the same cost', async () => {
    const measureSignIn = async (email: string): Promise<{ answer: unknown; ms: number }> => {
      const on = browser();
      await on.csrfToken();
      // Of the processor: other programs that are busy change little.
      const begun = process.cpuUsage();
      const answer = toComparable(await signIn(email, 'a wrong password', on));
      return { answer, ms: process.cpuUsage(begun).user / 1000 };
    };
    await measureSignIn('warm@mail.example');
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 9; round++) {
      const [right, wrong] = [
        await measureSignIn(jo.email),
        await measureSignIn(`nobody${round}@mail.example`),
      ];
      assert.deepEqual(right.answer, wrong.answer);
      assert.equal((right.answer as { status: number }).status, 401);
      known.push(right.ms);
      unknown.push(wrong.ms);
    }
    const median = (all: number[]): number => all.sort((one, other) => one - other)[4] as number;
    // A verification that was left out would take a tenth of the time.
    assert.ok(median(unknown) > median(known) / 2, `${median(unknown)} ms against ${median(known)} ms`);
  });

  it('is answered the same for enrolled people, who have no password yet', async () => {
    const { email } = newPerson();
    await service.store.db.query(sql`
      with new as (select gen_random_uuid() as id), p as (
        insert into patient (patient_id, email, first_name, last_name, created_at)
        select id, ${email}, 'Kim', 'Ito', ${service.clock.now()} from new)
      insert into patient_email (email, patient_id) select ${email}, id from new`);
    const [enrolled, nobody] = [await signIn(email, 'x'), await signIn(newPerson().email, 'x')];
    assert.deepEqual(toComparable(enrolled), toComparable(nobody));
  });
});

describe('somebody who guesses', () => {
  it('passwords here and at /v1/auth/token has ten tries together, and does not lock the owner out', async () => {
    const address = newAddress();
    const on = browser(address);
    const { projectId } = service.organization;
    for (let count = 0; count < 5; count++) {
      assert.equal((await signIn(jo.email, `wrong ${count}`, on)).status, 401);
      const json = { email: jo.email.toUpperCase(), password: `wrong ${count}`, projectId };
      const { status } = await call(service, '/v1/auth/token', {
        json,
        headers: { 'x-forwarded-for': address },
      });
      assert.equal(status, 401);
    }
    const refused = await signIn(jo.email, jo.password, on);
    assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_attempts']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await signIn(jo.email, jo.password)).status, 200, 'from where they are');
  });

  it('passwords at once has no more tries than one after another', async () => {
    const person = await newAccount(service, browser());
    const on = browser();
    await on.csrfToken();
    const answers = await Promise.all(Array.from({ length: 14 }, () => signIn(person.email, 'wrong', on)));
    assert.equal(listStatuses(answers).filter((status) => status === 401).length, 10);
  });

  it('case 496: links has thirty tries an hour, and living links open beyond them', async () => {
    const token = await requestMailedLink(service, browser(), { email: newPerson().email });
    const on = browser();
    const openLink = (secret: string): Promise<HttpResponse> => on.post('/account/link', { token: secret });
    for (let count = 0; count < 35; count++) assert.equal((await openLink(token)).status, 200);
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, index) => openLink(`${index}`.padEnd(43, 'x'))),
    );
    assert.deepEqual(listStatuses(answers), [...Array.from({ length: 30 }, () => 404), 429, 429]);
    assert.equal((await openLink(token)).status, 200, 'a living one of the same address');
    const answer = await on.post('/account/password', { ...newPerson(), token, password: 'short' });
    assert.equal(answer.status, 400, 'its password is looked at');
    assert.equal((await openLink('x'.repeat(43))).status, 429);
    const { body } = await on.post('/console/invitations/open', { token: 'x'.repeat(43) });
    assert.equal(body.code, 'too_many_attempts', 'invitations of members are counted together with them');
  });

  it('case 497: links from many ports of one address has thirty tries, too', async () => {
    const address = newAddress();
    const answers: HttpResponse[] = [];
    for (let port = 1000; port < 1032; port++)
      answers.push(await browser(`${address}:${port}`).post('/account/link', { token: 'x'.repeat(43) }));
    assert.deepEqual(listStatuses(answers), [...Array.from({ length: 30 }, () => 404), 429, 429]);
  });
});

describe('somebody who plants', () => {
  it('a session of their own making does not get into the one that is begun with it', async () => {
    const mallory = browser();
    const other = await newAccount(service, mallory);
    const planted = mallory.cookies.get('chartgate-session') ?? '';
    const victim = browser();
    victim.cookies.set('chartgate-session', planted);
    assert.equal((await signIn(jo.email, jo.password, victim)).status, 200);
    assert.notEqual(victim.cookies.get('chartgate-session'), planted);
    const { body } = await mallory.get('/account/session');
    assert.equal(body.person, null, `${other.email} is out, and is not ${jo.email}`);
  });

  it('a password on somebody else’s address before they come has no way to', async () => {
    const { email, password, ...names } = newPerson();
    const mallory = browser();
    await mallory.post('/account/sign-up', { email, password, ...names });
    assert.equal((await signIn(email, password)).status, 401);
    const token = await requestMailedLink(service, browser(), { email });
    const { body } = await browser().post('/account/link', { token });
    assert.deepEqual([body.hasPassword, body.needsName], [false, true]);
  });
});
