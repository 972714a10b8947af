import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OrganizationId } from '../../contract/brands.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  startIdentityProvider,
  type IdentityProvider,
  type ProviderPerson,
} from '../harness/identity-provider.ts';
import { waitForMail } from '../harness/mails.ts';
import {
  beginTestSession,
  createConsoleBrowser,
  getTotpCode,
  MEMBER_PASSWORD,
  newMember,
  signInAs,
  type TestMember,
} from '../harness/member.ts';
import { findFreePort } from '../harness/postgres.ts';
import {
  beginAtProvider,
  completeAtProvider,
  createProviderSignIns,
  getProviderEnvironment,
  getSession,
  newPerson,
  toOutcome,
} from '../harness/provider-sign-in.ts';
import {
  newOrganization,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';

interface Installation {
  service: TestService;
  provider: IdentityProvider;
  /** Another organization than that of the provider. */
  other: OrganizationId;
  stop(): Promise<void>;
}

async function start(more: Record<string, string> = {}): Promise<Installation> {
  const port = String(await findFreePort());
  const provider = await startIdentityProvider(`http://127.0.0.1:${port}/console/oidc`);
  const environment = { ...getProviderEnvironment(provider, port), ...more };
  const service = await startTestService({ environment });
  const { organizationId: other } = await newOrganization(service);
  return {
    service,
    provider,
    other,
    async stop() {
      await service.stop();
      await provider.stop();
    },
  };
}

const signInByPassword = (service: TestService, { email, totpSecret }: TestMember): Promise<HttpResponse> =>
  createConsoleBrowser(service).post('/console/sign-in', {
    email,
    password: MEMBER_PASSWORD,
    code: getTotpCode(service, totpSecret),
  });

/** What a member of the other organization joined before that was refused. */
const insertJoin = ({ service, provider }: Installation, { sub }: ProviderPerson, { memberId }: TestMember) =>
  service.store.db.query(sql`
    insert into member_identity (issuer, subject, member_id, created_at)
    values (${provider.issuer}, ${sub}, ${memberId}, now())`);

describe('an identity provider, which is that of one organization', () => {
  let installation: Installation;
  let service: TestService;
  before(async () => {
    installation = await start();
    ({ service } = installation);
  });
  after(() => installation.stop());
  const newOther = (role: 'researcher' | 'owner' = 'researcher') =>
    newMember(service, role, { organizationId: installation.other });

  it('case 475: is neither offered to members of another organization, nor joined, nor a proof for them', async () => {
    const member = await newOther();
    const browser = await signInAs(service, member);
    assert.equal((await getSession(browser)).oidc, null);
    for (const path of ['identity', 'confirm/oidc'])
      assert.deepEqual(toOutcome(await browser.post(`/console/${path}`)), [404, 'not_found']);
    // Begun by a node of the version before.
    const { provider } = installation;
    const own = await signInAs(service, await newMember(service, 'auditor'));
    for (const [begun, purpose] of [
      ['identity', 'join'],
      ['confirm/oidc', 'confirm'],
    ] as const) {
      provider.person = newPerson({ email: member.email, groups: ['owners'] });
      const answer = await provider.signIn(await beginAtProvider(own, begun));
      await service.store.db.query(sql`
        update member_oidc_request set session_id = (
          select session_id from member_session where member_id = ${member.memberId})
        where purpose = ${purpose}`);
      own.cookies.set('chartgate-console', browser.cookies.get('chartgate-console') ?? '');
      assert.deepEqual(toOutcome(await completeAtProvider(own, answer)), [404, 'not_found']);
      own.cookies.set(
        'chartgate-console',
        await beginTestSession(service, (await newMember(service, 'auditor')).memberId),
      );
    }
    assert.equal((await getSession(browser)).member.role, 'researcher');
  });

  it('case 476: lets nobody into another organization by a login that was joined there, and says why', async () => {
    const member = await newOther();
    const person = newPerson({ email: member.email, groups: ['owners'] });
    await insertJoin(installation, person, member);
    const { signIn } = createProviderSignIns(service, installation.provider);
    assert.deepEqual(toOutcome(await signIn(person)), [409, 'address_taken']);
    const { member: seen, oidc } = await getSession(await signInAs(service, member));
    assert.deepEqual(
      [seen.role, seen.isJoined, seen.proofs, oidc],
      ['researcher', false, ['code', 'password'], null],
    );
    // Password and passkey are theirs again.
    assert.equal((await signInByPassword(service, member)).status, 200);
    const browser = await signInAs(service, member);
    assert.equal((await browser.post('/console/confirm', { password: MEMBER_PASSWORD })).status, 204);
    await browser.post('/console/forgotten-password', { email: member.email });
    assert.match((await waitForMail(service, member.email)).text ?? '', /new-password#/);
  });

  it('takes a person as one of its own whose login somebody of another organization had joined', async () => {
    const member = await newOther('owner');
    const person = newPerson({ groups: ['study'] });
    await insertJoin(installation, person, member);
    const browser = createConsoleBrowser(service);
    const { signIn } = createProviderSignIns(service, installation.provider);
    assert.equal((await signIn(person, browser)).status, 200);
    const { member: seen, organization } = await getSession(browser);
    assert.deepEqual(
      [seen.email, seen.role, organization.id],
      [person.email, 'researcher', service.organization.organizationId],
    );
  });
});

describe('CHARTGATE_OIDC_ONLY with another organization', () => {
  let installation: Installation;
  let service: TestService;
  before(async () => {
    installation = await start({ CHARTGATE_OIDC_ONLY: '1' });
    ({ service } = installation);
  });
  after(() => installation.stop());

  it('lets in its members by password, and of those of the provider nobody', async () => {
    const theirs = await newMember(service, 'owner', { organizationId: installation.other });
    assert.equal((await signInByPassword(service, theirs)).status, 200);
    await createConsoleBrowser(service).post('/console/forgotten-password', { email: theirs.email });
    assert.match((await waitForMail(service, theirs.email)).text ?? '', /new-password#/);

    const own = await newMember(service, 'owner');
    assert.deepEqual(toOutcome(await signInByPassword(service, own)), [403, 'oidc_only']);
    const wrong = { email: own.email, password: 'another one' };
    const browser = createConsoleBrowser(service);
    assert.deepEqual(toOutcome(await browser.post('/console/sign-in', wrong)), [401, 'invalid_credentials']);
    // The form is offered, since there is somebody whom it lets in.
    assert.equal((await getSession(browser)).oidc.isOnly, false);
    assert.equal((await getSession(await signInAs(service, own))).oidc.isOnly, true);
  });

  it('accepts invitations of its members by a password, and those of the provider by a sign-in there', async () => {
    const invite = async (organizationId: OrganizationId, email: string): Promise<string> => {
      const owner = await signInAs(service, await newMember(service, 'owner', { organizationId }));
      const invited = { email, role: 'auditor' };
      const { status } = await owner.post(`/v1/organizations/${organizationId}/invitations`, invited);
      assert.equal(status, 201);
      return (await waitForMail(service, email)).text ?? '';
    };
    const readToken = (text: string): string => /invitation#([\w-]{43})$/m.exec(text)?.[1] ?? '';
    const browser = createConsoleBrowser(service);
    const open = async (text: string) =>
      (await browser.post('/console/invitations/open', { token: readToken(text) })).body.oidc;
    const accept = (text: string) =>
      browser.post('/console/invitations/accept', {
        token: readToken(text),
        password: MEMBER_PASSWORD,
        name: 'Ana Ruiz',
      });
    const theirs = await invite(installation.other, 'theirs@clinic.example');
    assert.equal(await open(theirs), null);
    assert.equal((await accept(theirs)).status, 200);

    const { email = '', ...person } = newPerson({ groups: ['audit'] });
    const own = await invite(service.organization.organizationId, email);
    const { host } = new URL(installation.provider.issuer);
    assert.match(own, new RegExp(`sign in with your account of .* at ${host}`));
    assert.deepEqual(await open(own), { host, isOnly: true });
    assert.deepEqual(toOutcome(await accept(own)), [403, 'oidc_only']);
    const { signIn } = createProviderSignIns(service, installation.provider);
    assert.equal((await signIn({ ...person, email })).status, 200);
    assert.deepEqual(toOutcome(await accept(own)), [404, 'link_invalid']);
  });

  it('mails no reset that would be refused', async () => {
    const [owner, member] = [await newMember(service, 'owner'), await newMember(service, 'auditor')];
    const browser = await signInAs(service, owner);
    const { organizationId } = service.organization;
    const path = `/v1/organizations/${organizationId}/members/${member.memberId}/reset`;
    assert.deepEqual(toOutcome(await browser.post(path)), [403, 'oidc_only']);
  });
});
