import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { purgeExpiredAccountData } from '../../server/identity/accounts/purge-expired.ts';
import { resolveSession } from '../../server/identity/accounts/session.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { requestMailedLink, newAccount, type TestAccount } from '../harness/account.ts';
import {
  call,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { createTestBrowser, type TestBrowser } from '../harness/test-browser.ts';

const MINUTE_MS = 60_000;
const COOKIE = 'chartgate-session';

let service: TestService;
let jo: TestAccount;
before(async () => {
  service = await startTestService();
  jo = await newAccount(service, browser());
});
after(() => service.stop());

const browser = (): TestBrowser => createTestBrowser(service);

async function createSignedIn(person: { email: string; password: string } = jo): Promise<TestBrowser> {
  const on = browser();
  const { email, password } = person;
  assert.equal((await on.post('/account/sign-in', { email, password })).status, 200);
  return on;
}

const getSessionPerson = async (on: TestBrowser): Promise<{ email: string } | null> =>
  (await on.get('/account/session')).body.person;

const countSessions = async (): Promise<number> =>
  (await one(service.store.db, sql<{ total: number }>`select count(*) as total from account_session`)).total;

describe('signing in', () => {
  it('answers who that is, and so does every later page', async () => {
    const on = browser();
    assert.equal(await getSessionPerson(on), null);
    const { email, password, firstName, lastName } = jo;
    const { status, body } = await on.post('/account/sign-in', { email, password });
    const { id } = await one(
      service.store.db,
      sql<{ id: string }>`select patient_id as id from patient where email = ${email}`,
    );
    const person = { id, firstName, lastName, email, isTestPatient: false };
    assert.deepEqual([status, body], [200, { person }]);
    assert.deepEqual(await getSessionPerson(on), person);
  });

  it('is open to test patients, by the password their organization has, until it gives them another', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const on = await createSignedIn(patient);
    const session = await resolveSession(
      { db: service.store.db, clock: service.clock },
      on.cookies.get(COOKIE) ?? '',
    );
    assert.equal(session?.patientId, patient.id);
    assert.equal(session?.testOrganizationId, service.organization.organizationId);
    assert.equal(session?.person.isTestPatient, true);
    const { organizationId } = service.organization;
    await call(service, `/v1/organizations/${organizationId}/test-patients/${patient.id}/password`, {
      method: 'POST',
      token: await getOrganizationToken(service),
    });
    assert.equal(await getSessionPerson(on), null);
  });

  it('ends with a deleted test patient', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const on = await createSignedIn(patient);
    const { organizationId } = service.organization;
    const gone = await call(service, `/v1/organizations/${organizationId}/test-patients/${patient.id}`, {
      method: 'DELETE',
      token: await getOrganizationToken(service),
    });
    assert.equal(gone.status, 204);
    assert.equal(await getSessionPerson(on), null);
  });

  it('gives a session of its own each time, and ends the one the browser had', async () => {
    const on = await createSignedIn();
    const first = on.cookies.get(COOKIE) ?? '';
    const before = await countSessions();
    await on.post('/account/sign-in', { email: jo.email, password: jo.password });
    assert.notEqual(on.cookies.get(COOKIE), first);
    assert.equal(await countSessions(), before);
    on.cookies.set(COOKIE, first);
    assert.equal(await getSessionPerson(on), null);
  });

  it('ends the session of whoever was signed in before by another’s link', async () => {
    const on = await createSignedIn();
    const first = on.cookies.get(COOKIE) ?? '';
    const other = await newAccount(service, on);
    assert.equal((await getSessionPerson(on))?.email, other.email);
    on.cookies.set(COOKIE, first);
    assert.equal(await getSessionPerson(on), null);
  });
});

describe('a session', () => {
  it('ends an hour after its last use', async () => {
    const on = await createSignedIn();
    service.clock.advance(60 * MINUTE_MS);
    assert.equal(await getSessionPerson(on), null);
  });

  it('goes on while it is used, for twelve hours and no longer', async () => {
    const on = await createSignedIn();
    for (let minutes = 55; minutes < 12 * 60; minutes += 55) {
      service.clock.advance(55 * MINUTE_MS);
      assert.equal((await getSessionPerson(on))?.email, jo.email, `after ${minutes} minutes`);
    }
    service.clock.advance(5 * MINUTE_MS);
    assert.equal(await getSessionPerson(on), null);
  });

  it('is written again only when less than 50 minutes are left', async () => {
    const on = await createSignedIn();
    const readExpiry = async (): Promise<number> => {
      const row = await one(
        service.store.db,
        sql<{ expires_at: Date }>`select expires_at from account_session order by created_at desc limit 1`,
      );
      return row.expires_at.getTime();
    };
    const first = await readExpiry();
    service.clock.advance(9 * MINUTE_MS);
    await getSessionPerson(on);
    assert.equal(await readExpiry(), first);
    service.clock.advance(2 * MINUTE_MS);
    await getSessionPerson(on);
    assert.ok(Math.abs((await readExpiry()) - first - 11 * MINUTE_MS) < MINUTE_MS);
  });

  it('is nobody’s when its cookie is malformed, of another or made up', async () => {
    const on = await createSignedIn();
    const [patient = '', secret = ''] = (on.cookies.get(COOKIE) ?? '').split('.');
    const other = await newTestPatient(service, { consent: false });
    const forged = [
      '',
      '.',
      'x',
      patient,
      `${patient}.`,
      `${patient}.${secret}.`,
      `${patient.toUpperCase()}.${secret}`,
      `${other.id}.${secret}`,
      `${patient}.${'A'.repeat(43)}`,
      `' or true --.${secret}`,
      `%00.${secret}`,
      'x'.repeat(4000),
    ];
    for (const value of forged) {
      on.cookies.set(COOKIE, value);
      const { status, body } = await on.get('/account/session');
      assert.deepEqual([status, body.person], [200, null], value.slice(0, 60));
    }
    on.cookies.set(COOKIE, `${patient}.${secret}`);
    assert.equal((await getSessionPerson(on))?.email, jo.email);
  });

  it('is kept by its hash alone', async () => {
    const on = await createSignedIn();
    const secret = on.cookies.get(COOKIE)?.split('.')[1] ?? '';
    const rows = await service.store.db.query(
      sql<{ line: string }>`select s::text as line from account_session s`,
    );
    const forms = [
      secret,
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret, 'base64url').toString('hex'),
    ];
    assert.ok(secret.length === 43 && rows.length > 0);
    assert.ok(rows.every(({ line }) => forms.every((form) => !line.includes(form))));
  });
});

describe('signing out', () => {
  it('ends the session here and in the store, and leaves other browsers', async () => {
    const [on, other] = [await createSignedIn(), await createSignedIn()];
    const cookie = on.cookies.get(COOKIE) ?? '';
    const { status, body } = await on.post('/account/sign-out');
    assert.deepEqual([status, body], [204, '']);
    assert.equal(on.cookies.has(COOKIE), false);
    on.cookies.set(COOKIE, cookie);
    assert.equal(await getSessionPerson(on), null);
    assert.equal((await getSessionPerson(other))?.email, jo.email);
  });

  it('answers 204 to somebody who is not signed in', async () => {
    const on = browser();
    on.cookies.set(COOKIE, 'malformed');
    assert.equal((await on.post('/account/sign-out')).status, 204);
  });
});

describe('the cookies', () => {
  const parseCookieAttributes = ({ headers }: HttpResponse): Record<string, string[]> =>
    Object.fromEntries(
      headers.getSetCookie().map((line) => {
        const [pair = '', ...attributes] = line.split('; ');
        return [pair.slice(0, pair.indexOf('=')), attributes.sort()];
      }),
    );

  it('are kept from scripts, and the session’s from other sites; they end with the browser', async () => {
    const on = browser();
    const first = parseCookieAttributes(await on.get('/account/session'));
    assert.deepEqual(first, { 'chartgate-browser': ['HttpOnly', 'Path=/', 'SameSite=Lax'] });
    const { email, password } = jo;
    const signed = parseCookieAttributes(await on.post('/account/sign-in', { email, password }));
    assert.deepEqual(signed, { [COOKIE]: ['HttpOnly', 'Path=/', 'SameSite=Strict'] });
    const out = parseCookieAttributes(await on.post('/account/sign-out'));
    assert.match(out[COOKIE]?.join() ?? '', /Expires=Thu, 01 Jan 1970/);
  });

  it('are Secure and of this host alone when it is reached by https', async () => {
    const secure = await startTestService({
      environment: { CHARTGATE_BASE_URL: 'https://chart.example', CHARTGATE_ALLOWED_HOSTS: '127.0.0.1' },
    });
    try {
      const at = { baseUrl: `http://127.0.0.1:${secure.config.http.port}` };
      const on = createTestBrowser(at, { origin: 'https://chart.example' });
      const first = parseCookieAttributes(await on.get('/account/session'));
      assert.deepEqual(first, {
        '__Host-chartgate-browser': ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'],
      });
      const person = await newAccount(secure, on);
      const { email, password } = person;
      const signed = parseCookieAttributes(await on.post('/account/sign-in', { email, password }));
      assert.deepEqual(signed, {
        '__Host-chartgate-session': ['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure'],
      });
      const planted = on.cookies.get('__Host-chartgate-session') ?? '';
      on.cookies.delete('__Host-chartgate-session');
      on.cookies.set('chartgate-session', planted);
      assert.equal(
        await getSessionPerson(on),
        null,
        'a neighbour domain could have planted a cookie of the plain name',
      );
    } finally {
      await secure.stop();
    }
  });

  it('are never asked for by the answer to a page of another origin', async () => {
    const { headers } = await createTestBrowser(service).get('/account/session', {
      origin: 'http://localhost:9999',
    });
    assert.equal(headers.get('access-control-allow-origin'), null);
    assert.equal(headers.get('access-control-allow-credentials'), null);
    assert.equal(headers.get('cache-control'), 'no-store');
  });
});

describe('the purge', () => {
  it('forgets expired links and sessions, and no others', async () => {
    const { db } = service.store;
    const kept = await createSignedIn();
    await requestMailedLink(service, kept, { email: 'later@mail.example' });
    service.clock.advance(30 * MINUTE_MS);
    await getSessionPerson(kept);
    const late = { now: () => new Date(service.clock.now().getTime() + 45 * MINUTE_MS) };
    await purgeExpiredAccountData({ db, clock: late });
    assert.equal(await countSessions(), 1);
    assert.equal((await getSessionPerson(kept))?.email, jo.email);
    const countLinks = async (): Promise<number> =>
      (await one(db, sql<{ total: number }>`select count(*) as total from account_link`)).total;
    assert.equal(await countLinks(), 1);
    service.clock.advance(24 * 60 * MINUTE_MS);
    await purgeExpiredAccountData({ db, clock: service.clock });
    assert.deepEqual([await countSessions(), await countLinks()], [0, 0]);
  });
});
