import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startHostileProvider, type HostileProvider } from '../harness/hostile-provider.ts';
import { createConsoleBrowser } from '../harness/member.ts';
import { findFreePort } from '../harness/postgres.ts';
import {
  beginAtProvider,
  completeAtProvider,
  getProviderEnvironment,
  getSession,
  newPerson,
  toOutcome,
} from '../harness/provider-sign-in.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let provider: HostileProvider;
let service: TestService;
before(async () => {
  provider = await startHostileProvider();
  const port = String(await findFreePort());
  service = await startTestService({ environment: getProviderEnvironment(provider, port) });
});
after(async () => {
  await service.stop();
  await provider.stop();
});
beforeEach(() => {
  provider.claims = { ...newPerson() };
  provider.userInfo = null;
  provider.signing = 'published';
});

/** A sign-in of whoever the provider says; its outcome, and the address of the member who is signed in then. */
async function signIn(): Promise<{ outcome: unknown[]; email: string | null }> {
  const browser = createConsoleBrowser(service);
  const answer = provider.answer(await beginAtProvider(browser));
  const outcome = toOutcome(await completeAtProvider(browser, answer));
  return { outcome, email: (await getSession(browser)).member?.email ?? null };
}

const LET_IN = [200, undefined];
const FAILED = { outcome: [401, 'oidc_failed'], email: null };

describe('what a provider says', () => {
  it('case 470: an ID token of a key that is not published, of the client’s secret, or unsigned', async () => {
    for (const signing of ['other', 'secret', 'none'] as const) {
      provider.signing = signing;
      assert.deepEqual(await signIn(), FAILED, signing);
    }
    provider.signing = 'published';
    assert.deepEqual((await signIn()).outcome, LET_IN);
  });

  it('case 471: keys that were rotated a moment ago, under another id and the same', async () => {
    assert.deepEqual((await signIn()).outcome, LET_IN);
    for (const keyId of [undefined, undefined, 'the same', 'the same']) {
      await provider.rotate(keyId);
      provider.signing = 'former';
      assert.deepEqual(await signIn(), FAILED);
      provider.signing = 'published';
      assert.deepEqual((await signIn()).outcome, LET_IN);
    }
  });

  it('case 472: an address of the ID token, vouched for by UserInfo; UserInfo of somebody else', async () => {
    const { email, email_verified: isVerified, ...token } = newPerson();
    const victim = 'victim@clinic.example';
    const pair = { email, email_verified: isVerified };
    const unverified = { outcome: [403, 'email_unverified'], email: null };

    provider.claims = { ...token, email: victim, email_verified: false };
    provider.userInfo = { sub: token.sub, ...pair };
    assert.deepEqual(await signIn(), unverified);
    provider.claims = { ...token, email_verified: true };
    provider.userInfo = { sub: token.sub, email: victim };
    assert.deepEqual(await signIn(), unverified);
    provider.claims = { ...token, email: victim };
    assert.deepEqual(await signIn(), unverified);
    provider.claims = { ...token };
    provider.userInfo = { sub: 'another', ...pair };
    assert.deepEqual(await signIn(), FAILED);
    provider.userInfo = { ...pair };
    assert.deepEqual(await signIn(), FAILED);

    provider.claims = { ...token, email: victim };
    provider.userInfo = { sub: token.sub, ...pair };
    assert.deepEqual(await signIn(), { outcome: LET_IN, email });
  });

  it('case 473: a subject that cannot be kept, or that the store would keep as another', async () => {
    const odd = ['a\u0000b', 'a\nb', 'a\u0085b', 'x'.repeat(256), '\ud800', 'a\udfffb'];
    for (const sub of odd) {
      provider.claims = { ...newPerson(), sub };
      assert.deepEqual(await signIn(), { outcome: [403, 'bad_subject'], email: null }, JSON.stringify(sub));
    }
    for (const sub of ['', 7, null, undefined, ['a']]) {
      provider.claims = { ...newPerson(), sub };
      assert.equal((await signIn()).email, null, JSON.stringify(sub));
    }
    provider.claims = { ...newPerson(), sub: 'x'.repeat(255) };
    assert.deepEqual((await signIn()).outcome, LET_IN);
  });

  it('case 474: names, groups and addresses of other types, or with characters that nothing here holds', async () => {
    const browser = createConsoleBrowser(service);
    const person = newPerson();
    for (const name of ['a\u0000b', 'a\u202eb', ['Ana'], { a: 1 }, 'x'.repeat(300)]) {
      provider.claims = { ...person, name };
      assert.deepEqual((await signIn()).outcome, LET_IN, JSON.stringify(name));
    }
    provider.claims = { ...person };
    await completeAtProvider(browser, provider.answer(await beginAtProvider(browser)));
    assert.equal((await getSession(browser)).member.name, person.email);
    for (const groups of ['owners,study', { study: true }, [['owners']], [null], 7, '__proto__']) {
      provider.claims = { ...newPerson(), groups };
      assert.deepEqual((await signIn()).outcome, [403, 'no_role'], JSON.stringify(groups));
    }
    for (const email of ['a\u0000@clinic.example', ['a@clinic.example'], { a: 1 }, 7, 'a@b@c.example']) {
      provider.claims = { ...newPerson(), email };
      assert.deepEqual((await signIn()).outcome, [403, 'email_unverified'], JSON.stringify(email));
    }
    for (const [isVerified, outcome] of [
      ['true', LET_IN],
      ['TRUE', [403, 'email_unverified']],
      ['1', [403, 'email_unverified']],
      [1, [403, 'email_unverified']],
      [[true], [403, 'email_unverified']],
    ] as const) {
      provider.claims = { ...newPerson(), email_verified: isVerified };
      assert.deepEqual((await signIn()).outcome, outcome, JSON.stringify(isVerified));
    }
  });
});
