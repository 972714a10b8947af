import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { listMailsTo, waitForMail } from '../harness/mails.ts';
import {
  createConsoleBrowser,
  getTotpCode,
  MEMBER_PASSWORD,
  newMember,
  signInAs,
} from '../harness/member.ts';
import { startTestService, type HttpResponse, type TestService } from '../harness/service.ts';

const NEW_PASSWORD = 'seven boats on a grey river';
const HOUR_MS = 3_600_000;

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

/** Asks for a link in a browser of its own. */
const forget = (email: string): Promise<HttpResponse> =>
  createConsoleBrowser(service).post('/console/forgotten-password', { email });

const choose = (token: string, password = NEW_PASSWORD): Promise<HttpResponse> =>
  createConsoleBrowser(service).post('/console/forgotten-password/choose', { token, password });

const signIn = (email: string, password: string, code?: string): Promise<HttpResponse> =>
  createConsoleBrowser(service).post('/console/sign-in', { email, password, ...(code && { code }) });

const toOutcome = ({ status, body }: HttpResponse): unknown[] => [status, body?.code];

/** The secret of the newest link that was mailed to an address. */
async function readLink(email: string, count = 1): Promise<string> {
  const { text } = await waitForMail(service, email, count);
  const url = new RegExp(`${service.baseUrl}/console/new-password#([\\w-]{43})`).exec(text ?? '');
  assert.ok(url?.[1], text);
  return url[1];
}

describe('a member who forgot the password', () => {
  it('case 270: a link twice, twice at once, after an hour, one that was replaced, one of before a change', async () => {
    const member = await newMember(service, 'admin');
    assert.deepEqual(toOutcome(await forget(member.email.toUpperCase())), [202, undefined]);
    const first = await readLink(member.email);
    await forget(member.email);
    const second = await readLink(member.email, 2);
    assert.deepEqual(toOutcome(await choose(first)), [404, 'link_invalid']);
    assert.deepEqual(toOutcome(await choose(second, 'password1234')), [400, 'weak_password']);
    const chosen = await Promise.all([choose(second), choose(second)]);
    assert.deepEqual(
      chosen.map(({ status }) => status).toSorted((one, other) => one - other),
      [204, 404],
    );
    assert.deepEqual(toOutcome(await choose(second)), [404, 'link_invalid']);

    const late = await newMember(service, 'admin');
    await forget(late.email);
    const token = await readLink(late.email);
    service.clock.advance(HOUR_MS + 1000);
    assert.deepEqual(toOutcome(await choose(token)), [404, 'link_invalid']);
    await forget(late.email);
    const before = await readLink(late.email, 2);
    const browser = await signInAs(service, late);
    const change = { currentPassword: MEMBER_PASSWORD, newPassword: 'nine lamps in the old harbour' };
    assert.equal((await browser.post('/console/password', change)).status, 204);
    assert.deepEqual(toOutcome(await choose(before)), [404, 'link_invalid']);
    assert.deepEqual(toOutcome(await choose('x'.repeat(43))), [404, 'link_invalid']);
  });

  it('case 271: signing in past the second factor by a link; sessions of before it', async () => {
    const member = await newMember(service, 'owner');
    const open = await signInAs(service, member);
    assert.notEqual((await open.get('/console/session')).body.member, null);
    await forget(member.email);
    const answer = await choose(await readLink(member.email));
    assert.deepEqual([answer.status, answer.headers.getSetCookie().join()], [204, '']);
    assert.equal((await open.get('/console/session')).body.member, null, 'every session ended');
    assert.deepEqual(toOutcome(await signIn(member.email, MEMBER_PASSWORD)), [401, 'invalid_credentials']);
    assert.deepEqual(toOutcome(await signIn(member.email, NEW_PASSWORD)), [401, 'code_required']);
    const code = getTotpCode(service, member.totpSecret);
    const signedIn = await signIn(member.email, NEW_PASSWORD, code);
    assert.deepEqual([signedIn.status, signedIn.body.setup], [200, []]);
  });

  it('case 272: learning who is a member, bothering one by mail, asking for another site', async () => {
    const member = await newMember(service, 'auditor');
    const [known, unknown] = [await forget(member.email), await forget('nobody@clinic.example')];
    assert.deepEqual([unknown.status, unknown.body], [known.status, known.body]);
    for (let times = 0; times < 5; times++) assert.equal((await forget(member.email)).status, 202);
    await waitForMail(service, member.email, 3);
    assert.equal((await listMailsTo(service, member.email)).length, 3);
    assert.deepEqual(await listMailsTo(service, 'nobody@clinic.example'), []);
    const forged = await createConsoleBrowser(service).post(
      '/console/forgotten-password',
      { email: member.email },
      { 'x-csrf-token': 'forged' },
    );
    assert.deepEqual(toOutcome(forged), [403, 'csrf']);
  });
});
