import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { newAccount } from '../harness/account.ts';
import { createAuthenticator, type Authenticator, type Overrides } from '../harness/authenticator.ts';
import { waitForMail } from '../harness/mails.ts';
import {
  createConsoleBrowser,
  getTotpCode,
  MEMBER_PASSWORD,
  newMember,
  signInAs,
  type ConsoleBrowser,
  type TestMember,
} from '../harness/member.ts';
import { findFreePort } from '../harness/postgres.ts';
import { startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { createTestBrowser } from '../harness/test-browser.ts';

const MINUTE_MS = 60_000;

let service: TestService;
let origin: string;
before(async () => {
  const port = String(await findFreePort());
  origin = `http://localhost:${port}`;
  service = await startTestService({ environment: { PORT: port, CHARTGATE_BASE_URL: origin } });
});
after(() => service.stop());

const toOutcome = ({ status, body }: HttpResponse): unknown[] => [status, body?.code];

const INVALID = [400, 'invalid_passkey'];
const WRONG = [401, 'invalid_credentials'];

const begin = async (browser: ConsoleBrowser) =>
  (await browser.post('/console/passkeys/options')).body.options;

const send = (browser: ConsoleBrowser, response: object, name = 'Key'): Promise<HttpResponse> =>
  browser.post('/console/passkeys', { name, response });

const add = async (
  browser: ConsoleBrowser,
  key: Authenticator,
  overrides: Overrides = {},
): Promise<HttpResponse> => send(browser, key.create(await begin(browser), overrides));

const requestOptions = async (browser: ConsoleBrowser) =>
  (await browser.post('/console/sign-in/passkey/options')).body.options;

const sendAssertion = (browser: ConsoleBrowser, response: object): Promise<HttpResponse> =>
  browser.post('/console/sign-in/passkey', { response });

async function signIn(key: Authenticator, overrides: Overrides = {}): Promise<HttpResponse> {
  const browser = createConsoleBrowser(service);
  return sendAssertion(browser, key.get(await requestOptions(browser), overrides));
}

const isSignedIn = async (browser: ConsoleBrowser): Promise<boolean> =>
  (await browser.get('/console/session')).body.member !== null;

const takeTotp = ({ memberId }: TestMember) =>
  service.store.db.query(sql`update member set totp_secret = null where member_id = ${memberId}`);

const countActions = async ({ memberId }: TestMember, action: string): Promise<number> =>
  (
    await service.store.db.query(
      sql`select from audit_entry where action = ${action} and actor_id = ${memberId}`,
    )
  ).length;

describe('a passkey of a member', () => {
  it('is the first factor of whoever came by an invitation, and signs in by itself', async () => {
    const owner = await signInAs(service, await newMember(service, 'owner'));
    const { organizationId } = service.organization;
    const email = 'ana@clinic.example';
    await owner.post(`/v1/organizations/${organizationId}/invitations`, { email, role: 'auditor' });
    const mail = await waitForMail(service, email);
    const token = /invitation#([\w-]{43})$/m.exec(mail.text ?? '')?.[1] ?? '';
    const browser = createConsoleBrowser(service);
    const accepted = await browser.post('/console/invitations/accept', {
      token,
      password: MEMBER_PASSWORD,
      name: 'Ana Ruiz',
    });
    assert.deepEqual(accepted.body.setup, ['factor']);
    // Somebody else who knows the password: what has no factor must not become a session that has one.
    const other = createConsoleBrowser(service);
    assert.equal((await other.post('/console/sign-in', { email, password: MEMBER_PASSWORD })).status, 200);

    const options = await begin(browser);
    assert.equal(options.rp.id, 'localhost');
    assert.match(options.user.name, /^ana@clinic\.example \(/);
    assert.deepEqual(
      [options.authenticatorSelection.residentKey, options.authenticatorSelection.userVerification],
      ['required', 'required'],
    );
    const key = createAuthenticator(origin);
    const added = await send(browser, key.create(options), 'Blue key');
    assert.deepEqual([added.status, added.body.recoveryCodes.length], [201, 10]);
    assert.equal(await isSignedIn(other), false, 'case 293');
    assert.deepEqual((await browser.get('/console/session')).body.setup, []);

    const login = { email, password: MEMBER_PASSWORD };
    assert.deepEqual(toOutcome(await other.post('/console/sign-in', login)), [401, 'code_required']);
    const [code] = added.body.recoveryCodes;
    assert.equal((await other.post('/console/sign-in', { ...login, code })).status, 200);
    assert.deepEqual([(await signIn(key)).body.setup, (await signIn(key)).status], [[], 200]);
    const { passkeys, hasTotp, possible } = (await browser.get('/console/passkeys')).body;
    assert.deepEqual([passkeys.length, passkeys[0].name, hasTotp, possible], [1, 'Blue key', false, true]);
    assert.notEqual(passkeys[0].lastUsedAt, null);
  });

  it('case 290: one of another page, browser, session or purpose, or a challenge that is over', async () => {
    const member = await newMember(service, 'admin');
    const browser = await signInAs(service, member);
    const key = createAuthenticator(origin);
    const wrong: readonly Overrides[] = [
      { origin: 'http://evil.example' },
      { rpId: 'evil.example' },
      { userVerified: false },
      { challenge: 'A'.repeat(43) },
      { type: 'webauthn.get' },
      { attestation: ['packed', new Map([['x5c', [Buffer.alloc(8)]]])] },
    ];
    for (const overrides of wrong)
      assert.deepEqual(toOutcome(await add(browser, key, overrides)), INVALID, JSON.stringify(overrides));
    assert.deepEqual(toOutcome(await send(browser, {})), INVALID, 'nothing');

    const once = await begin(browser);
    assert.deepEqual(toOutcome(await send(browser, key.create(once, { rpId: 'evil.example' }))), INVALID);
    assert.deepEqual(toOutcome(await send(browser, key.create(once))), INVALID, 'twice');
    const elsewhere = await begin(await signInAs(service, member));
    assert.deepEqual(toOutcome(await send(browser, key.create(elsewhere))), INVALID, 'another browser');
    const before = await begin(browser);
    browser.cookies.set(
      'chartgate-console',
      (await signInAs(service, member)).cookies.get('chartgate-console') ?? '',
    );
    assert.deepEqual(toOutcome(await send(browser, key.create(before))), INVALID, 'another session');
    const purpose = await requestOptions(browser);
    assert.deepEqual(
      toOutcome(await send(browser, key.create({ ...purpose, rp: { id: 'localhost' } }))),
      INVALID,
    );
    const late = await begin(browser);
    service.clock.advance(5 * MINUTE_MS + 1000);
    await browser.post('/console/confirm', { password: MEMBER_PASSWORD });
    assert.deepEqual(toOutcome(await send(browser, key.create(late))), INVALID, 'too late');

    assert.equal((await add(browser, key)).status, 201);
    const other = await signInAs(service, await newMember(service, 'admin'));
    assert.deepEqual(toOutcome(await add(other, key)), [409, 'known_passkey']);
    assert.deepEqual((await other.get('/console/passkeys')).body.passkeys, []);
  });

  it('case 291: signing in by one of a patient, another handle, a copy, an answer twice or from elsewhere', async () => {
    const member = await newMember(service, 'owner');
    const key = createAuthenticator(origin);
    await add(await signInAs(service, member), key);
    const patients = createTestBrowser(service);
    await newAccount(service, patients);
    const ofPatient = createAuthenticator(origin);
    const { options } = (await patients.post('/account/passkeys/options')).body;
    await patients.post('/account/passkeys', { name: 'Phone', response: ofPatient.create(options) });
    assert.deepEqual(toOutcome(await signIn(ofPatient)), WRONG);
    const asPatient = key.get((await patients.post('/account/sign-in/passkey/options')).body.options);
    assert.deepEqual(
      toOutcome(await patients.post('/account/sign-in/passkey', { response: asPatient })),
      WRONG,
    );
    assert.deepEqual(toOutcome(await signIn(key, { userHandle: Buffer.alloc(16) })), WRONG);
    assert.deepEqual(toOutcome(await signIn(key, { userVerified: false })), WRONG);

    const browser = createConsoleBrowser(service);
    const answer = key.get(await requestOptions(browser));
    assert.deepEqual(
      toOutcome(await sendAssertion(createConsoleBrowser(service), answer)),
      WRONG,
      'elsewhere',
    );
    assert.deepEqual(toOutcome(await sendAssertion(browser, answer)), WRONG, 'its challenge is used up');
    assert.equal((await signIn(key)).status, 200);
    assert.deepEqual(toOutcome(await signIn(key, { counter: 1 })), WRONG, 'a copy');
    assert.equal(await countActions(member, 'console.signed_in'), 1);
  });

  it('case 292: one of a member who was removed, chose anew, or removed it; sessions that it began', async () => {
    const { organizationId } = service.organization;
    const owner = await signInAs(service, await newMember(service, 'owner'));
    const removed = await newMember(service, 'admin');
    const key = createAuthenticator(origin);
    await add(await signInAs(service, removed), key);
    const browser = createConsoleBrowser(service);
    await sendAssertion(browser, key.get(await requestOptions(browser)));
    assert.equal(await isSignedIn(browser), true);
    await owner.send('DELETE', `/v1/organizations/${organizationId}/members/${removed.memberId}`);
    assert.equal(await isSignedIn(browser), false);
    assert.deepEqual(toOutcome(await signIn(key)), WRONG);

    const anew = await newMember(service, 'admin');
    const old = createAuthenticator(origin);
    await add(await signInAs(service, anew), old);
    await owner.post(`/v1/organizations/${organizationId}/members/${anew.memberId}/reset`);
    const mail = await waitForMail(service, anew.email);
    const token = /invitation#([\w-]{43})$/m.exec(mail.text ?? '')?.[1] ?? '';
    assert.equal((await signIn(old)).status, 200, 'nothing changes before');
    const chosen = { token, password: MEMBER_PASSWORD };
    assert.deepEqual(
      (await createConsoleBrowser(service).post('/console/invitations/accept', chosen)).body.setup,
      ['factor'],
    );
    assert.deepEqual(toOutcome(await signIn(old)), WRONG);

    const member = await newMember(service, 'admin');
    const own = await signInAs(service, member);
    const lost = createAuthenticator(origin);
    const { id } = (await add(own, lost)).body;
    const thief = createConsoleBrowser(service);
    await sendAssertion(thief, lost.get(await requestOptions(thief)));
    assert.equal((await own.post('/console/passkeys/remove', { id })).status, 204);
    assert.deepEqual([await isSignedIn(thief), await isSignedIn(own)], [false, true]);
    assert.deepEqual(toOutcome(await signIn(lost)), WRONG);
    assert.deepEqual(toOutcome(await own.post('/console/passkeys/remove', { id })), [404, 'not_found']);
    assert.equal(await countActions(member, 'console.passkey_removed'), 1);
  });

  it('case 293: removing the only factor; adding and removing from a browser that was left open', async () => {
    const member = await newMember(service, 'admin');
    const browser = await signInAs(service, member);
    const [first, second] = [createAuthenticator(origin), createAuthenticator(origin)];
    const ids = [(await add(browser, first)).body.id, (await add(browser, second)).body.id];
    await takeTotp(member);
    assert.equal((await browser.post('/console/passkeys/remove', { id: ids[0] })).status, 204);
    assert.deepEqual(toOutcome(await browser.post('/console/passkeys/remove', { id: ids[1] })), [
      409,
      'last_factor',
    ]);
    assert.equal((await signIn(second)).status, 200);
    service.clock.advance(6 * MINUTE_MS);
    for (const path of ['options', 'remove'])
      assert.deepEqual(toOutcome(await browser.post(`/console/passkeys/${path}`, { id: ids[1] })), [
        403,
        'confirmation_required',
      ]);
    assert.deepEqual(toOutcome(await send(browser, {})), [403, 'confirmation_required']);
  });

  it('case 294: presence by another member’s, in another session, by an answer of a sign-in, twice', async () => {
    const [member, other] = [await newMember(service, 'admin'), await newMember(service, 'admin')];
    const [browser, others] = [await signInAs(service, member), await signInAs(service, other)];
    const [key, foreign] = [createAuthenticator(origin), createAuthenticator(origin)];
    await add(browser, key);
    await add(others, foreign);
    service.clock.advance(6 * MINUTE_MS);
    const ask = async (on: ConsoleBrowser) => (await on.post('/console/confirm/options')).body.options;
    const confirm = (passkey: object) => browser.post('/console/confirm', { passkey });
    const isConfirmed = async () => (await browser.get('/console/session')).body.isConfirmed as boolean;
    const options = await ask(browser);
    assert.deepEqual(
      options.allowCredentials.map(({ id }: { id: string }) => id),
      [key.credentialId.toString('base64url')],
    );
    assert.deepEqual(toOutcome(await confirm(foreign.get(options))), WRONG);
    assert.deepEqual(toOutcome(await confirm(key.get(await ask(others)))), WRONG);
    assert.deepEqual(toOutcome(await confirm(key.get(await requestOptions(browser)))), WRONG);
    assert.equal(await isConfirmed(), false);
    const answer = key.get(await ask(browser));
    assert.equal((await confirm(answer)).status, 204);
    assert.equal(await isConfirmed(), true);
    assert.deepEqual(toOutcome(await confirm(answer)), WRONG);
    const both = { passkey: {}, password: MEMBER_PASSWORD };
    assert.equal((await browser.post('/console/confirm', both)).status, 400);
    await takeTotp(other);
    const code = getTotpCode(service, member.totpSecret);
    assert.equal((await browser.post('/console/confirm', { code })).status, 204, 'the app works beside it');
    const listProofs = async (on: ConsoleBrowser) => (await on.get('/console/session')).body.member.proofs;
    assert.deepEqual(await listProofs(browser), ['code', 'passkey', 'password']);
    assert.deepEqual(await listProofs(others), ['passkey', 'password'], 'neither app nor recovery codes');
    const without = await signInAs(service, await newMember(service, 'auditor'));
    assert.deepEqual(await listProofs(without), ['code', 'password']);
    const stranger = await createConsoleBrowser(service).get('/console/session');
    assert.equal(stranger.body.member, null, 'nobody else is told what somebody has');
    assert.deepEqual(toOutcome(await without.post('/console/confirm/options')), [409, 'no_passkey']);
  });
});
