import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { addPasskey } from '../../server/identity/accounts/passkeys/add-passkey.ts';
import { createRelyingParty } from '../../server/identity/accounts/passkeys/relying-party.ts';
import { hashSession, resolveSession } from '../../server/identity/accounts/session.ts';
import { purgeExpiredAccountData } from '../../server/identity/accounts/purge-expired.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { requestMailedLink, newAccount, type TestAccount } from '../harness/account.ts';
import { createAuthenticator, type Authenticator, type Overrides } from '../harness/authenticator.ts';
import { listMailsTo, waitForMail } from '../harness/mails.ts';
import { findFreePort } from '../harness/postgres.ts';
import { newTestPatient, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { createTestBrowser, type TestBrowser } from '../harness/test-browser.ts';

const MINUTE_MS = 60_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';

let service: TestService;
let origin: string;
before(async () => {
  const port = String(await findFreePort());
  origin = `http://localhost:${port}`;
  service = await startTestService({ environment: { PORT: port, CHARTGATE_BASE_URL: origin } });
});
after(() => service.stop());

const browser = (): TestBrowser => createTestBrowser(service);

const getSessionPerson = async (on: TestBrowser): Promise<{ email: string } | null> =>
  (await on.get('/account/session')).body.person;

const begin = async (on: TestBrowser) => (await on.post('/account/passkeys/options')).body.options;

async function add(
  on: TestBrowser,
  made: Authenticator,
  overrides: Overrides = {},
  name = 'My phone',
): Promise<HttpResponse> {
  return on.post('/account/passkeys', { name, response: made.create(await begin(on), overrides) });
}

const requestOptions = async (on: TestBrowser) =>
  (await on.post('/account/sign-in/passkey/options')).body.options;

const sendAssertion = (on: TestBrowser, response: object): Promise<HttpResponse> =>
  on.post('/account/sign-in/passkey', { response });

const signIn = async (
  on: TestBrowser,
  made: Authenticator,
  overrides: Overrides = {},
): Promise<HttpResponse> => sendAssertion(on, made.get(await requestOptions(on), overrides));

const getStatusAndCode = ({ status, body }: HttpResponse): unknown[] => [status, body.code];

const INVALID = [400, 'invalid_passkey'];
const WRONG = [401, 'invalid_credentials'];

let jo: TestAccount;
let on: TestBrowser;
let phone: Authenticator;
beforeEach(async () => {
  // All of them ask for their mails from one address.
  await service.store.db.query(sql`delete from rate_limit`);
  on = browser();
  jo = await newAccount(service, on);
  phone = createAuthenticator(origin);
});

describe('adding a passkey', () => {
  it('asks for one that is kept in the device, checks its user, and reveals nothing of who it is', async () => {
    const options = await begin(on);
    assert.equal(options.rp.id, 'localhost');
    assert.deepEqual(
      [options.authenticatorSelection.residentKey, options.authenticatorSelection.userVerification],
      ['required', 'required'],
    );
    assert.equal(options.attestation, 'none');
    assert.equal(Buffer.from(options.user.id, 'base64url').length, 16);
    assert.ok(Buffer.from(options.challenge, 'base64url').length >= 32);
  });

  it('lists it by the name it was given, and notifies the person by a mail that names nobody', async () => {
    const added = await add(on, phone);
    assert.equal(added.status, 201);
    const { body } = await on.get('/account/passkeys');
    assert.equal(body.possible, true);
    const [{ id, name, lastUsedAt }, ...others] = body.passkeys;
    assert.deepEqual([id, name, lastUsedAt, others], [added.body.id, 'My phone', null, []]);
    const mail = await waitForMail(service, jo.email, 2);
    assert.match(mail.subject ?? '', /passkey was added/);
    assert.doesNotMatch(mail.text ?? '', /Jo|Larsen|phone/);
  });

  it('names those there are, so that a device does not make a second', async () => {
    await add(on, phone);
    const { excludeCredentials } = await begin(on);
    assert.deepEqual(
      excludeCredentials.map(({ id }: { id: string }) => id),
      [phone.credentialId.toString('base64url')],
    );
  });

  for (const [what, overrides] of [
    ['a page of another origin', { origin: 'http://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['an authenticator that did not check its user', { userVerified: false }],
    ['a challenge that we never gave', { challenge: 'A'.repeat(43) }],
    ['an answer to a sign-in', { type: 'webauthn.get' }],
    ['an attestation of a format there is not', { attestation: ['made-up', new Map()] }],
    ['an attestation with certificates', { attestation: ['packed', new Map([['x5c', [Buffer.alloc(8)]]])] }],
  ] satisfies [string, Overrides][]) {
    it(`refuses ${what}`, async () => {
      assert.deepEqual(getStatusAndCode(await add(on, phone, overrides)), INVALID);
      assert.deepEqual((await on.get('/account/passkeys')).body.passkeys, []);
    });
  }

  for (const [what, response] of [
    ['nothing', {}],
    ['an id of a megabyte', { id: 'A'.repeat(900_000), rawId: 'A', type: 'public-key', response: {} }],
    ['fields that are no text', { id: 1, rawId: [], type: 'public-key', response: { clientDataJSON: {} } }],
    [
      'bytes that are no CBOR',
      {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key',
        response: { clientDataJSON: 'bnVsbA', attestationObject: '_____w' },
      },
    ],
  ] as const) {
    it(`refuses ${what} as an answer`, async () => {
      assert.deepEqual(
        getStatusAndCode(await on.post('/account/passkeys', { name: 'x', response })),
        INVALID,
      );
      assert.deepEqual(getStatusAndCode(await sendAssertion(on, response)), WRONG);
    });
  }

  it('takes a challenge once, also when its answer was wrong', async () => {
    const options = await begin(on);
    const wrong = phone.create(options, { origin: 'http://evil.example' });
    assert.deepEqual(
      getStatusAndCode(await on.post('/account/passkeys', { name: 'x', response: wrong })),
      INVALID,
    );
    const right = phone.create(options);
    assert.deepEqual(
      getStatusAndCode(await on.post('/account/passkeys', { name: 'x', response: right })),
      INVALID,
    );
  });

  it('takes no challenge of another person in this browser, of another browser, or from five minutes ago', async () => {
    const before = await begin(on);
    const kims = browser();
    const kim = await newAccount(service, kims);
    const answer = (to: TestBrowser, options: never) =>
      to.post('/account/passkeys', { name: 'x', response: phone.create(options) });
    assert.deepEqual(getStatusAndCode(await answer(kims, before as never)), INVALID, 'another browser');
    const again = await begin(on);
    await on.post('/account/sign-in', { email: kim.email, password: kim.password });
    assert.deepEqual(getStatusAndCode(await answer(on, again as never)), INVALID, 'another person');
    const late = await begin(on);
    service.clock.advance(5 * MINUTE_MS + 1000);
    assert.deepEqual(getStatusAndCode(await answer(on, late as never)), INVALID, 'too late');
    const signing = await requestOptions(on);
    assert.deepEqual(getStatusAndCode(await answer(on, signing as never)), INVALID, 'of a sign-in');
  });

  it('refuses a credential that somebody has', async () => {
    await add(on, phone);
    const kims = browser();
    await newAccount(service, kims);
    assert.deepEqual(getStatusAndCode(await add(kims, phone)), [409, 'known_passkey']);
    assert.deepEqual((await kims.get('/account/passkeys')).body.passkeys, []);
    assert.equal((await signIn(browser(), createAuthenticator(origin))).status, 401);
  });

  it('ends at twenty, also when they come at once', async () => {
    const prepared = [];
    for (let count = 0; count < 22; count++)
      prepared.push(createAuthenticator(origin).create(await begin(on)));
    const answers = await Promise.all(
      prepared.map((response) => on.post('/account/passkeys', { name: 'x', response })),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    assert.deepEqual(refused.map(getStatusAndCode), [
      [409, 'too_many_passkeys'],
      [409, 'too_many_passkeys'],
    ]);
    assert.deepEqual(getStatusAndCode(await on.post('/account/passkeys/options')), [
      409,
      'too_many_passkeys',
    ]);
  });

  it('needs a sign-in of the last 15 minutes', async () => {
    service.clock.advance(15 * MINUTE_MS + 1000);
    assert.deepEqual(getStatusAndCode(await on.post('/account/passkeys/options')), [403, 'sign_in_again']);
    await on.post('/account/sign-in', { email: jo.email, password: jo.password });
    assert.equal((await add(on, phone)).status, 201);
    // By a node whose clock is behind, too.
    await service.store.db.query(
      sql`update account_session set created_at = clock_timestamp() - interval '15 minutes 1 second'`,
    );
    service.clock.advance(-10 * MINUTE_MS - 15 * MINUTE_MS - 1000);
    assert.deepEqual(getStatusAndCode(await on.post('/account/passkeys/options')), [403, 'sign_in_again']);
    service.clock.advance(10 * MINUTE_MS);
  });

  it('is not for test patients, whose way in is their organization’s', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const { email, password } = patient;
    await on.post('/account/sign-in', { email, password });
    assert.deepEqual(getStatusAndCode(await on.post('/account/passkeys/options')), [403, 'test_patient']);
  });

  it('needs somebody who is signed in, and our own page', async () => {
    const stranger = browser();
    for (const url of ['/account/passkeys/options', '/account/passkeys', '/account/passkeys/remove']) {
      const json = { name: 'x', response: {}, id: '00000000-0000-4000-8000-000000000000' };
      assert.deepEqual(getStatusAndCode(await stranger.post(url, json)), [401, 'not_signed_in'], url);
      assert.deepEqual(
        getStatusAndCode(await on.post(url, json, { 'x-csrf-token': 'x' })),
        [403, 'csrf'],
        url,
      );
    }
    assert.deepEqual(getStatusAndCode(await stranger.get('/account/passkeys')), [401, 'not_signed_in']);
  });
});

describe('signing in by a passkey', () => {
  beforeEach(async () => void (await add(on, phone)));

  it('asks for no name, and begins a session of its own', async () => {
    const other = browser();
    const options = await requestOptions(other);
    assert.deepEqual([options.rpId, options.userVerification], ['localhost', 'required']);
    assert.equal(options.allowCredentials, undefined);
    const { status, body } = await sendAssertion(other, phone.get(options));
    assert.deepEqual([status, body.person.email], [200, jo.email]);
    assert.equal((await getSessionPerson(other))?.email, jo.email);
    const { body: list } = await other.get('/account/passkeys');
    assert.ok(Date.parse(list.passkeys[0].lastUsedAt) > 0);
  });

  for (const [what, overrides] of [
    ['a page of another origin', { origin: 'http://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['an authenticator that did not check its user', { userVerified: false }],
    ['a challenge that we never gave', { challenge: 'A'.repeat(43) }],
    ['the handle of somebody else', { userHandle: Buffer.alloc(16, 7) }],
    ['an answer to the making of a passkey', { type: 'webauthn.create' }],
  ] satisfies [string, Overrides][]) {
    it(`refuses ${what}`, async () => {
      const other = browser();
      assert.deepEqual(getStatusAndCode(await signIn(other, phone, overrides)), WRONG);
      assert.equal(await getSessionPerson(other), null);
      assert.equal((await signIn(other, phone)).status, 200, 'and the passkey goes on');
    });
  }

  it('refuses an answer that was shown before', async () => {
    const other = browser();
    const answer = phone.get(await requestOptions(other));
    assert.equal((await sendAssertion(other, answer)).status, 200);
    assert.deepEqual(getStatusAndCode(await sendAssertion(other, answer)), WRONG);
  });

  it('refuses the challenge of another browser, and one from five minutes ago', async () => {
    const [victim, attacker] = [browser(), browser()];
    assert.deepEqual(
      getStatusAndCode(await sendAssertion(attacker, phone.get(await requestOptions(victim)))),
      WRONG,
    );
    const late = phone.get(await requestOptions(victim));
    service.clock.advance(5 * MINUTE_MS + 1000);
    assert.deepEqual(getStatusAndCode(await sendAssertion(victim, late)), WRONG);
  });

  it('refuses a credential it does not know, and another key under a known id', async () => {
    const other = browser();
    assert.deepEqual(getStatusAndCode(await signIn(other, createAuthenticator(origin))), WRONG);
    const forged = createAuthenticator(origin).get(await requestOptions(other), {
      userHandle: Buffer.from((await begin(on)).user.id, 'base64url'),
    });
    const id = phone.credentialId.toString('base64url');
    assert.deepEqual(getStatusAndCode(await sendAssertion(other, { ...forged, id, rawId: id })), WRONG);
  });

  it('refuses a copy: a counter that does not rise', async () => {
    const other = browser();
    assert.equal((await signIn(other, phone, { counter: 10 })).status, 200);
    for (const counter of [10, 9, 0])
      assert.deepEqual(getStatusAndCode(await signIn(other, phone, { counter })), WRONG);
    assert.equal((await signIn(other, phone, { counter: 11 })).status, 200);
  });

  it('takes the highest counter that an authenticator can have, and none after it', async () => {
    await add(on, phone);
    assert.equal((await signIn(on, phone, { counter: 0xffff_ffff })).status, 200);
    for (const counter of [0, 1, 0xffff_ffff])
      assert.deepEqual(getStatusAndCode(await signIn(on, phone, { counter })), WRONG);
  });

  it('takes one of two answers with the same counter that come at once', async () => {
    const [one, two] = [browser(), browser()];
    const answers = [
      phone.get(await requestOptions(one), { counter: 50 }),
      phone.get(await requestOptions(two), { counter: 50 }),
    ] as const;
    const got = await Promise.all([sendAssertion(one, answers[0]), sendAssertion(two, answers[1])]);
    assert.deepEqual(new Set(got.map(({ status }) => status)), new Set([200, 401]));
  });

  it('goes on with devices that do not count', async () => {
    const synced = createAuthenticator(origin, { counts: false });
    assert.equal((await add(on, synced)).status, 201);
    for (let times = 0; times < 2; times++) assert.equal((await signIn(browser(), synced)).status, 200);
  });

  it('ends with the passkey, and only its owner can remove it', async () => {
    const kims = browser();
    await newAccount(service, kims);
    const { id } = (await on.get('/account/passkeys')).body.passkeys[0];
    assert.equal((await kims.post('/account/passkeys/remove', { id })).status, 404);
    assert.equal((await on.post('/account/passkeys/remove', { id })).status, 204);
    assert.deepEqual(getStatusAndCode(await signIn(browser(), phone)), WRONG);
    assert.equal((await on.post('/account/passkeys/remove', { id })).status, 404);
    assert.equal((await add(on, phone)).status, 201, 'and can be added again');
  });

  it('ends every other session with its passkey, which may have begun them', async () => {
    const [other, third] = [browser(), browser()];
    await signIn(other, phone);
    await third.post('/account/sign-in', jo);
    const { id } = (await on.get('/account/passkeys')).body.passkeys[0];
    assert.equal((await on.post('/account/passkeys/remove', { id })).status, 204);
    assert.deepEqual(await Promise.all([other, third].map(getSessionPerson)), [null, null]);
    assert.equal((await getSessionPerson(on))?.email, jo.email);
  });

  it('ends with a password that is chosen by mail, or changed: an intruder may have made the passkey', async () => {
    const other = browser();
    await signIn(other, phone);
    const token = await requestMailedLink(service, browser(), { email: jo.email });
    const opened = await browser().post('/account/link', { token });
    assert.deepEqual(
      opened.body.passkeys.map(({ name, createdAt }: { name: string; createdAt: string }) => [
        name,
        Date.parse(createdAt) > 0,
      ]),
      [['My phone', true]],
    );
    const reset = browser();
    await reset.post('/account/password', { token, password: 'a new and better battery' });
    assert.equal(await getSessionPerson(other), null);
    assert.deepEqual(getStatusAndCode(await signIn(browser(), phone)), WRONG);
    assert.deepEqual((await reset.get('/account/passkeys')).body.passkeys, []);
    assert.equal((await add(reset, phone)).status, 201, 'and can be added again');
    const change = { currentPassword: 'a new and better battery', newPassword: jo.password };
    assert.equal((await reset.post('/account/password/change', change)).status, 204);
    assert.deepEqual(getStatusAndCode(await signIn(browser(), phone)), WRONG);
    const mails = (await listMailsTo(service, jo.email)).map(({ text }) => text ?? '');
    assert.ok(mails.some((text) => /signed out\. Your passkeys were removed\./.test(text)));
  });

  it('goes on where whoever chooses the password keeps it, in a session of its own', async () => {
    const other = browser();
    await signIn(other, phone);
    const token = await requestMailedLink(service, browser(), { email: jo.email });
    const password = 'a new and better battery';
    const reset = browser();
    await reset.post('/account/password', { token, password, keepPasskeys: true });
    assert.equal(await getSessionPerson(other), null);
    assert.equal((await signIn(other, phone)).status, 200);
    const change = { currentPassword: password, newPassword: jo.password, keepPasskeys: true };
    assert.equal((await reset.post('/account/password/change', change)).status, 204);
    assert.equal((await signIn(other, phone)).status, 200);
    const mails = (await listMailsTo(service, jo.email)).map(({ text }) => text ?? '');
    assert.ok(mails.every((text) => !/passkeys were removed/.test(text)));
  });

  it('is not added by a request that came before the password was changed, and is stored after it', async () => {
    const cookie = on.cookies.get('chartgate-session') ?? '';
    const session = await resolveSession({ db: service.store.db, clock: service.clock }, cookie);
    assert.ok(session);
    const tablet = createAuthenticator(origin);
    const response = tablet.create(await begin(on));
    const token = await requestMailedLink(service, browser(), { email: jo.email });
    await browser().post('/account/password', { token, password: 'a new and better battery' });
    const party = createRelyingParty({ baseUrl: origin, consentAppUrl: `${origin}/consent` });
    const deps = { db: service.store.db, clock: service.clock, jobs: null as never, party };
    const from = { session, browser: on.cookies.get('chartgate-browser') ?? '' };
    const added = { name: 'Late', response, sessionHash: hashSession(cookie), device: '' };
    await assert.rejects(addPasskey(deps, from, added), { code: 'not_signed_in' });
    assert.deepEqual(getStatusAndCode(await signIn(browser(), tablet)), WRONG);
  });

  it('stands in the log of the person when it comes and goes, with the browser', async () => {
    const { id } = (await on.get('/account/passkeys')).body.passkeys[0];
    await on.post('/account/passkeys/remove', { id }, { 'user-agent': FIREFOX });
    await signIn(on, phone);
    const { body } = await on.get('/account/events');
    assert.deepEqual(
      body.events.map(({ kind, device }: { kind: string; device: string }) => `${kind} ${device}`),
      ['passkey_removed Firefox, Linux', 'passkey_added ', 'password_chosen '],
    );
  });

  it('waits after ten wrong answers for one credential from one address', async () => {
    const other = browser();
    const stranger = createAuthenticator(origin);
    for (let tries = 0; tries < 10; tries++)
      assert.deepEqual(getStatusAndCode(await signIn(other, stranger)), WRONG);
    const { status, headers } = await signIn(other, stranger);
    assert.equal(status, 429);
    assert.ok(Number(headers.get('retry-after')) > 0);
    assert.equal((await signIn(other, phone)).status, 200, 'others go on');
  });
});

describe('challenges', () => {
  it('are kept by their hash, and forgotten when they are over', async () => {
    const { challenge } = await requestOptions(on);
    const { db } = service.store;
    const rows = await db.query(sql<{ line: string }>`select c::text as line from passkey_challenge c`);
    assert.ok(rows.length > 0);
    const forms = [
      challenge,
      Buffer.from(challenge).toString('hex'),
      Buffer.from(challenge, 'base64url').toString('hex'),
    ];
    assert.ok(rows.every(({ line }) => forms.every((form) => !line.includes(form))));
    service.clock.advance(5 * MINUTE_MS + 1000);
    await purgeExpiredAccountData({ db, clock: service.clock });
    const { total } = await one(db, sql<{ total: number }>`select count(*) as total from passkey_challenge`);
    assert.equal(total, 0);
  });
});

describe('at an IP address', () => {
  it('there are no passkeys, and the page learns so', async () => {
    const numbered = await startTestService();
    try {
      const at = createTestBrowser(numbered);
      await newAccount(numbered, at);
      assert.equal((await at.get('/account/passkeys')).body.possible, false);
      for (const url of ['/account/passkeys/options', '/account/sign-in/passkey/options'])
        assert.deepEqual(getStatusAndCode(await at.post(url)), [409, 'passkeys_impossible']);
    } finally {
      await numbered.stop();
    }
  });
});
