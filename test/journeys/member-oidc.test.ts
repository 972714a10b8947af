import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import {
  startIdentityProvider,
  type IdentityProvider,
  type ProviderPerson,
} from '../harness/identity-provider.ts';
import { waitForMail } from '../harness/mails.ts';
import {
  createConsoleBrowser,
  getTotpCode,
  MEMBER_PASSWORD,
  newMember,
  signInAs,
  type ConsoleBrowser,
} from '../harness/member.ts';
import { findFreePort } from '../harness/postgres.ts';
import {
  beginAtProvider as begin,
  completeAtProvider as complete,
  createProviderSignIns,
  getProviderEnvironment,
  getSession,
  newPerson,
  toOutcome,
} from '../harness/provider-sign-in.ts';
import { startTestService, type HttpResponse, type TestService } from '../harness/service.ts';

const MINUTE_MS = 60_000;

let provider: IdentityProvider;
let service: TestService;

before(async () => {
  const port = String(await findFreePort());
  provider = await startIdentityProvider(`http://127.0.0.1:${port}/console/oidc`);
  service = await startTestService({ environment: getProviderEnvironment(provider, port) });
});
after(async () => {
  await service.stop();
  await provider.stop();
});

const FAILED = [401, 'oidc_failed'];

const signIn = (person: ProviderPerson, browser?: ConsoleBrowser): Promise<HttpResponse> =>
  createProviderSignIns(service, provider).signIn(person, browser);

describe('signing in at the identity provider', () => {
  it('makes a member of whoever has a mapped group, with its role, and needs no other factor', async () => {
    const browser = createConsoleBrowser(service);
    assert.deepEqual((await getSession(browser)).oidc, {
      host: new URL(provider.issuer).host,
      isOnly: false,
    });
    const url = new URL(await begin(browser));
    for (const [name, value] of [
      ['response_type', 'code'],
      ['code_challenge_method', 'S256'],
      ['scope', 'openid email profile groups'],
    ] as const)
      assert.equal(url.searchParams.get(name), value);
    for (const name of ['state', 'nonce', 'code_challenge'])
      assert.ok((url.searchParams.get(name) ?? '').length >= 32);
    const person = newPerson({ groups: ['audit', 'study'] });
    const answer = await signIn(person, browser);
    assert.deepEqual([answer.status, answer.body], [200, { purpose: 'sign_in', setup: [] }]);
    const { member, setup, isConfirmed } = await getSession(browser);
    assert.deepEqual(
      [member.email, member.name, member.role, member.isJoined, setup, isConfirmed],
      [person.email, 'Ana Ruiz', 'researcher', true, [], true],
    );
    assert.deepEqual(
      (
        await service.store.db.query(sql<{ action: string }>`
        select action from audit_entry where actor_id = ${member.id} order by entry_id`)
      ).map(({ action }) => action),
      ['member.joined', 'console.signed_in'],
    );
  });

  it('case 295: a state twice, of another browser, made up, or after ten minutes; another nonce', async () => {
    const [browser, other] = [createConsoleBrowser(service), createConsoleBrowser(service)];
    provider.person = newPerson();
    const parameters = await provider.signIn(await begin(browser));
    assert.deepEqual(toOutcome(await complete(other, parameters)), FAILED, 'another browser');
    assert.deepEqual(toOutcome(await complete(browser, parameters)), FAILED, 'used up by the attempt');
    assert.deepEqual(toOutcome(await complete(browser, { ...parameters, state: 'A'.repeat(43) })), FAILED);
    assert.deepEqual(toOutcome(await complete(browser, {})), FAILED);

    const once = await provider.signIn(await begin(browser));
    assert.equal((await complete(browser, once)).status, 200);
    assert.deepEqual(toOutcome(await complete(browser, once)), FAILED, 'replayed');

    const swapped = await provider.signIn(await begin(other));
    const mine = await provider.signIn(await begin(browser));
    assert.deepEqual(toOutcome(await complete(browser, { ...mine, code: swapped['code'] ?? '' })), FAILED);

    const nonce = await provider.signIn(await begin(browser));
    await service.store.db.query(sql`update member_oidc_request set nonce = 'another one'`);
    assert.deepEqual(toOutcome(await complete(browser, nonce)), FAILED, 'a token of another request');

    const late = await provider.signIn(await begin(browser));
    service.clock.advance(10 * MINUTE_MS + 1000);
    assert.deepEqual(toOutcome(await complete(browser, late)), FAILED, 'too late');
  });

  it('case 296: an answer of another provider, or of none that is named; a refusal there', async () => {
    const browser = createConsoleBrowser(service);
    provider.person = newPerson();
    const mixed = await provider.signIn(await begin(browser));
    assert.deepEqual(toOutcome(await complete(browser, { ...mixed, iss: 'https://evil.example' })), FAILED);
    const { iss, ...unnamed } = await provider.signIn(await begin(browser));
    assert.equal(iss, provider.issuer);
    assert.deepEqual(toOutcome(await complete(browser, unnamed)), FAILED);
    const { state = '' } = await provider.signIn(await begin(browser));
    const refused = { error: 'access_denied', state, iss: provider.issuer };
    assert.deepEqual(toOutcome(await complete(browser, refused)), FAILED);
    assert.equal((await getSession(browser)).member, null);
  });

  it('case 344: the first sign-in in six browsers at once makes one member, who is signed in in each', async () => {
    const person = newPerson();
    provider.person = person;
    const browsers = Array.from({ length: 6 }, () => createConsoleBrowser(service));
    const answers: Record<string, string>[] = [];
    for (const browser of browsers) answers.push(await provider.signIn(await begin(browser)));
    const completed = await Promise.all(
      browsers.map((browser, index) => complete(browser, answers[index] ?? {})),
    );
    assert.deepEqual(
      completed.map(({ status }) => status),
      browsers.map(() => 200),
    );
    const ids = await Promise.all(
      browsers.map(async (browser) => (await getSession(browser)).member.id as string),
    );
    assert.equal(new Set(ids).size, 1);
    const joined = await service.store.db.query(sql`
      select from audit_entry where actor_id = ${ids[0]} and action = 'member.joined'`);
    assert.equal(joined.length, 1);
  });

  it('case 297: no mapped group, an address that nobody verified, that of a member; a member who was removed', async () => {
    assert.deepEqual(toOutcome(await signIn(newPerson({ groups: ['Owners'] }))), [403, 'no_role']);
    const unverified = newPerson({ email_verified: false });
    assert.deepEqual(toOutcome(await signIn(unverified)), [403, 'email_unverified']);
    const { email: _, ...nameless } = newPerson();
    assert.deepEqual(toOutcome(await signIn(nameless)), [403, 'email_unverified']);
    const member = await newMember(service, 'auditor');
    const same = newPerson({ email: member.email, groups: ['owners'] });
    assert.deepEqual(toOutcome(await signIn(same)), [409, 'not_joined']);

    const removed = newPerson();
    const browser = createConsoleBrowser(service);
    await signIn(removed, browser);
    const { member: joined, organization } = await getSession(browser);
    const owner = await signInAs(service, await newMember(service, 'owner'));
    await owner.send('DELETE', `/v1/organizations/${organization.id}/members/${joined.id}`);
    assert.equal((await getSession(browser)).member, null);
    assert.deepEqual(toOutcome(await signIn(removed)), [403, 'member_removed']);
  });

  it('case 298: sessions of a role that the provider has changed, or taken back', async () => {
    const person = newPerson({ groups: ['owners'] });
    const [first, second] = [createConsoleBrowser(service), createConsoleBrowser(service)];
    await signIn(person, first);
    assert.equal((await getSession(first)).member.role, 'owner');
    await signIn({ ...person, groups: ['audit'] }, second);
    assert.equal((await getSession(second)).member.role, 'auditor');
    assert.equal((await getSession(first)).member, null);
    assert.deepEqual(toOutcome(await signIn({ ...person, groups: [] })), [403, 'no_role']);
    assert.equal((await getSession(second)).member, null);
  });

  it('case 299: joining from a browser that was left open, another address, another session, another member’s login', async () => {
    const member = await newMember(service, 'auditor');
    const browser = await signInAs(service, member);
    const join = (person: ProviderPerson, as = browser) =>
      createProviderSignIns(service, provider).join(person, as);
    assert.deepEqual(toOutcome(await join(newPerson())), [401, 'oidc_other_person']);
    const unverified = newPerson({ email: member.email, email_verified: false });
    assert.deepEqual(toOutcome(await join(unverified)), [403, 'email_unverified']);
    const own = newPerson({ email: member.email, groups: ['audit'] });
    const url = await begin(browser, 'identity');
    provider.person = own;
    const parameters = await provider.signIn(url);
    browser.cookies.set(
      'chartgate-console',
      (await signInAs(service, member)).cookies.get('chartgate-console') ?? '',
    );
    assert.deepEqual(toOutcome(await complete(browser, parameters)), FAILED, 'another session');
    assert.equal((await join(own)).status, 200);
    assert.equal((await getSession(browser)).member.isJoined, true);

    const other = await newMember(service, 'auditor');
    const taken = { ...own, email: other.email };
    const others = await signInAs(service, other);
    assert.deepEqual(toOutcome(await join(taken, others)), [409, 'identity_taken']);

    // What the provider takes back must not be left here.
    const login = {
      email: member.email,
      password: MEMBER_PASSWORD,
      code: getTotpCode(service, member.totpSecret),
    };
    const refused = await createConsoleBrowser(service).post('/console/sign-in', login);
    assert.deepEqual(toOutcome(refused), [403, 'use_oidc']);
    assert.equal((await signIn(own)).status, 200);
    service.clock.advance(6 * MINUTE_MS);
    assert.deepEqual(toOutcome(await browser.post('/console/identity')), [403, 'confirmation_required']);
  });

  it('proves presence by signing in there once more, as the same person', async () => {
    const person = newPerson();
    const browser = createConsoleBrowser(service);
    await signIn(person, browser);
    service.clock.advance(6 * MINUTE_MS);
    assert.equal((await getSession(browser)).isConfirmed, false);
    const url = await begin(browser, 'confirm/oidc');
    assert.equal(new URL(url).searchParams.get('prompt'), 'login');
    provider.person = newPerson();
    assert.deepEqual(toOutcome(await complete(browser, await provider.signIn(url))), [
      401,
      'oidc_other_person',
    ]);
    assert.equal((await getSession(browser)).isConfirmed, false);
    const again = await begin(browser, 'confirm/oidc');
    provider.person = person;
    assert.deepEqual((await complete(browser, await provider.signIn(again))).body, {
      purpose: 'confirm',
      setup: [],
    });
    assert.equal((await getSession(browser)).isConfirmed, true);
  });

  it('alone lets nobody in by password or passkey, but whoever the operator resets', async () => {
    const port = String(await findFreePort());
    const only = await startTestService({
      environment: { ...getProviderEnvironment(provider, port), CHARTGATE_OIDC_ONLY: '1' },
    });
    try {
      const member = await newMember(only, 'owner');
      const browser = createConsoleBrowser(only);
      const { email } = member;
      const refused = [403, 'oidc_only'];
      assert.deepEqual(
        toOutcome(await browser.post('/console/sign-in', { email, password: MEMBER_PASSWORD })),
        refused,
      );
      assert.deepEqual(toOutcome(await browser.post('/console/sign-in/passkey', { response: {} })), refused);
      assert.deepEqual(toOutcome(await browser.post('/console/forgotten-password', { email })), refused);
      const owner = await signInAs(only, member);
      const invited = { email: 'new@clinic.example', role: 'auditor' };
      await owner.post(`/v1/organizations/${only.organization.organizationId}/invitations`, invited);
      const mail = await waitForMail(only, invited.email);
      const token = /invitation#([\w-]{43})$/m.exec(mail.text ?? '')?.[1] ?? '';
      const accept = () =>
        browser.post('/console/invitations/accept', { token, password: MEMBER_PASSWORD, name: 'Ana Ruiz' });
      assert.deepEqual(toOutcome(await accept()), refused);
      await only.store.db.query(sql`update member_invitation set invited_by_kind = 'system'`);
      assert.deepEqual((await accept()).body.setup, ['factor'], 'the operator’s own command');
    } finally {
      await only.stop();
    }
  });

  it('says when the provider does not answer', async () => {
    const port = String(await findFreePort());
    const nowhere = `http://127.0.0.1:${await findFreePort()}`;
    const lonely = await startTestService({
      environment: { ...getProviderEnvironment(provider, port), CHARTGATE_OIDC_ISSUER: nowhere },
    });
    try {
      const answer = await createConsoleBrowser(lonely).post('/console/sign-in/oidc');
      assert.deepEqual(toOutcome(answer), [503, 'oidc_unavailable']);
    } finally {
      await lonely.stop();
    }
  });
});
