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
  createProviderSignIns,
  getProviderEnvironment,
  getSession,
  newPerson,
  toOutcome,
} from '../harness/provider-sign-in.ts';
import { newProject, startTestService, type TestService } from '../harness/service.ts';

const MINUTE_MS = 60_000;

let provider: IdentityProvider;
let service: TestService;
let path: string;
before(async () => {
  const port = String(await findFreePort());
  provider = await startIdentityProvider(`http://127.0.0.1:${port}/console/oidc`);
  service = await startTestService({ environment: getProviderEnvironment(provider, port) });
  path = `/v1/organizations/${service.organization.organizationId}`;
});
after(async () => {
  await service.stop();
  await provider.stop();
});

/** An owner who proved to be present just now. */
const asOwner = async (): Promise<ConsoleBrowser> => signInAs(service, await newMember(service, 'owner'));

const providerSignIns = () => createProviderSignIns(service, provider);

/** Signs a person in; returns who they are here. */
async function signInSeen(person: ProviderPerson, browser = createConsoleBrowser(service)) {
  const answer = await providerSignIns().signIn(person, browser);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return (await getSession(browser)).member as {
    id: string;
    email: string;
    role: string;
    projectIds: string[] | null;
  };
}

const listActions = async (memberId: string): Promise<string[]> =>
  (
    await service.store.db.query(sql<{ action: string }>`
      select action from audit_entry where detail ->> 'memberId' = ${memberId} order by entry_id`)
  ).map(({ action }) => action);

const invite = async (invitation: object): Promise<string> => {
  const { status, body } = await (await asOwner()).post(`${path}/invitations`, invitation);
  assert.equal(status, 201, JSON.stringify(body));
  return body.id as string;
};

const listInvited = async (): Promise<string[]> =>
  (await (await asOwner()).get(`${path}/invitations?limit=100`)).body.results.map(
    ({ email }: { email: string }) => email,
  );

describe('what limits a researcher to projects', () => {
  it('counts again when a group at the provider comes and goes', async () => {
    const person = newPerson();
    const project = await newProject(service);
    const { id } = await signInSeen(person);
    const owner = await asOwner();
    const limit = { projectIds: [project] };
    assert.equal((await owner.send('PATCH', `${path}/members/${id}`, limit)).status, 200);
    assert.deepEqual((await signInSeen(person)).projectIds, [project]);
    const asAuditor = await signInSeen({ ...person, groups: ['audit'] });
    assert.deepEqual([asAuditor.role, asAuditor.projectIds], ['auditor', null]);
    await signInSeen({ ...person, groups: ['owners'] });
    const again = await signInSeen(person);
    assert.deepEqual([again.role, again.projectIds], ['researcher', [project]]);
    // Lifted by an owner, it is none that comes back.
    await owner.send('PATCH', `${path}/members/${id}`, { projectIds: null });
    await signInSeen({ ...person, groups: ['audit'] });
    assert.equal((await signInSeen(person)).projectIds, null);
  });

  it('counts when the provider makes a researcher of whom an owner had limited as one and given another role', async () => {
    const person = newPerson({ groups: ['owners'] });
    const project = await newProject(service);
    const { id } = await signInSeen(person);
    const owner = await asOwner();
    const change = (body: object) => owner.send('PATCH', `${path}/members/${id}`, body);
    await change({ role: 'researcher', projectIds: [project] });
    await change({ role: 'admin' });
    assert.deepEqual((await signInSeen({ ...person, groups: ['study'] })).projectIds, [project]);
    await change({ role: 'admin' });
    assert.deepEqual((await change({ role: 'researcher' })).body.projectIds, [project]);
  });

  it('is that of an invitation which a first sign-in at the provider uses up', async () => {
    const project = await newProject(service);
    for (const groups of [['study'], ['audit']]) {
      const person = newPerson({ groups });
      const { email } = person;
      await invite({ email, role: 'researcher', projectIds: [project] });
      assert.ok((await listInvited()).includes(email ?? ''));
      const first = await signInSeen(person);
      assert.deepEqual(first.projectIds, groups.includes('study') ? [project] : null);
      assert.ok(!(await listInvited()).includes(email ?? ''));
      assert.deepEqual((await signInSeen({ ...person, groups: ['study'] })).projectIds, [project]);
    }
  });

  it('is not that of an invitation whose maker is no member any more', async () => {
    const person = newPerson();
    const project = await newProject(service);
    const maker = await newMember(service, 'admin');
    const invitation = { email: person.email, role: 'researcher', projectIds: [project] };
    await (await signInAs(service, maker)).post(`${path}/invitations`, invitation);
    await (await asOwner()).send('DELETE', `${path}/members/${maker.memberId}`);
    assert.equal((await signInSeen(person)).projectIds, null);
  });
});

describe('whoever was removed', () => {
  it('comes back by the provider once they are invited again, with the limit of the invitation', async () => {
    const person = newPerson();
    const { id } = await signInSeen(person);
    const remove = async (memberId: string) =>
      (await asOwner()).send('DELETE', `${path}/members/${memberId}`);
    await remove(id);
    const { signIn } = providerSignIns();
    assert.deepEqual(toOutcome(await signIn(person)), [403, 'member_removed']);
    const project = await newProject(service);
    await invite({ email: person.email, role: 'researcher', projectIds: [project] });
    const again = await signInSeen(person);
    assert.notEqual(again.id, id);
    assert.deepEqual(again.projectIds, [project]);
    await remove(again.id);
    assert.deepEqual(toOutcome(await signIn(person)), [403, 'member_removed'], 'it counts once');
  });

  it('and accepted another invitation by a password joins the two', async () => {
    const person = newPerson();
    const { id } = await signInSeen(person);
    await (await asOwner()).send('DELETE', `${path}/members/${id}`);
    await invite({ email: person.email, role: 'researcher', projectIds: null });
    const text = (await waitForMail(service, person.email ?? '')).text ?? '';
    const token = /invitation#([\w-]{43})$/m.exec(text)?.[1] ?? '';
    const browser = createConsoleBrowser(service);
    const { host } = new URL(provider.issuer);
    const opened = await browser.post('/console/invitations/open', { token });
    assert.deepEqual(opened.body.oidc, { host, isOnly: false });
    const accepted = { token, password: MEMBER_PASSWORD, name: 'Ana Ruiz' };
    assert.equal((await browser.post('/console/invitations/accept', accepted)).status, 200);
    const { signIn, join } = providerSignIns();
    assert.deepEqual(toOutcome(await signIn(person)), [409, 'not_joined']);
    assert.equal((await join(person, browser)).status, 200);
    assert.equal((await signIn(person)).status, 200);
  });
});

describe('the login of a member who joined', () => {
  it('case 477: by password and passkey proves nothing, and sessions, links and resets of before end', async () => {
    const member = await newMember(service, 'auditor');
    const { email } = member;
    const [browser, elsewhere] = [await signInAs(service, member), await signInAs(service, member)];
    await (await asOwner()).post(`${path}/members/${member.memberId}/reset`);
    const reset = /invitation#([\w-]{43})$/m.exec((await waitForMail(service, email)).text ?? '')?.[1] ?? '';
    await browser.post('/console/forgotten-password', { email });
    const link =
      /new-password#([\w-]{43})$/m.exec((await waitForMail(service, email, 2)).text ?? '')?.[1] ?? '';
    assert.deepEqual((await getSession(browser)).member.proofs, ['code', 'password']);
    const person = newPerson({ email, groups: ['audit'] });
    assert.equal((await providerSignIns().join(person, browser)).status, 200);
    assert.equal((await getSession(elsewhere)).member, null, 'begun by password before');
    const { member: seen } = await getSession(browser);
    assert.deepEqual([seen.isJoined, seen.proofs], [true, ['identity_provider']]);

    const refused = [403, 'use_oidc'];
    const code = getTotpCode(service, member.totpSecret);
    for (const proof of [{ password: MEMBER_PASSWORD }, { code }, { passkey: {} }])
      assert.deepEqual(toOutcome(await browser.post('/console/confirm', proof)), refused);
    assert.deepEqual(toOutcome(await browser.post('/console/confirm/options')), refused);
    const change = { currentPassword: MEMBER_PASSWORD, newPassword: 'seven green umbrellas in the attic' };
    assert.deepEqual(toOutcome(await browser.post('/console/password', change)), refused);
    const signIn = { email, password: MEMBER_PASSWORD, code };
    assert.deepEqual(
      toOutcome(await createConsoleBrowser(service).post('/console/sign-in', signIn)),
      refused,
    );
    const invalid = [404, 'link_invalid'];
    const choice = { token: link, password: change.newPassword };
    assert.deepEqual(toOutcome(await browser.post('/console/forgotten-password/choose', choice)), invalid);
    const anew = { token: reset, password: change.newPassword };
    assert.deepEqual(toOutcome(await browser.post('/console/invitations/accept', anew)), invalid);
  });

  it('gets the role of the groups at once', async () => {
    const member = await newMember(service, 'owner');
    const browser = await signInAs(service, member);
    const person = newPerson({ email: member.email, groups: ['audit'] });
    assert.equal((await providerSignIns().join(person, browser)).status, 200);
    assert.equal((await getSession(browser)).member.role, 'auditor');
  });
});

describe('a proof of presence at the provider', () => {
  it('case 478: without any group left ends every session instead', async () => {
    const person = newPerson({ groups: ['owners'] });
    const [browser, elsewhere] = [createConsoleBrowser(service), createConsoleBrowser(service)];
    await signInSeen(person, elsewhere);
    await signInSeen(person, browser);
    service.clock.advance(6 * MINUTE_MS);
    const { confirm } = providerSignIns();
    assert.deepEqual(toOutcome(await confirm({ ...person, groups: [] }, browser)), [403, 'no_role']);
    for (const one of [browser, elsewhere]) assert.equal((await getSession(one)).member, null);
  });

  it('gives the role of the groups of now, and ends the other sessions of another one', async () => {
    const person = newPerson({ groups: ['owners'] });
    const [browser, elsewhere] = [createConsoleBrowser(service), createConsoleBrowser(service)];
    await signInSeen(person, elsewhere);
    await signInSeen(person, browser);
    service.clock.advance(6 * MINUTE_MS);
    const { confirm } = providerSignIns();
    assert.equal((await confirm({ ...person, groups: ['audit'] }, browser)).status, 200);
    const { member, isConfirmed } = await getSession(browser);
    assert.deepEqual([member.role, isConfirmed], ['auditor', true]);
    assert.equal((await getSession(elsewhere)).member, null);
  });
});

describe('an address that changed at the provider', () => {
  it('is taken at the next sign-in, with the log saying so', async () => {
    const person = newPerson();
    const { id, email } = await signInSeen(person);
    const other = { ...person, email: `New.${email}` };
    assert.equal((await signInSeen({ ...other, email_verified: false })).email, email);
    assert.equal((await signInSeen(other)).email, `new.${email}`);
    await signInSeen(other);
    assert.deepEqual(await listActions(id), ['member.address_changed']);
    // The former one is free for whoever has it by now.
    assert.notEqual((await signInSeen(newPerson({ email: person.email ?? '' }))).id, id);
  });

  it('stays where somebody else has the new one, of whichever organization', async () => {
    const taken = await newMember(service, 'auditor');
    const person = newPerson();
    const { id, email } = await signInSeen(person);
    assert.equal((await signInSeen({ ...person, email: taken.email })).email, email);
    assert.deepEqual(await listActions(id), ['member.address_kept']);
  });

  it('ends what was mailed to the former one', async () => {
    const person = newPerson();
    const { id, email } = await signInSeen(person);
    await (await asOwner()).post(`${path}/members/${id}/reset`);
    const token = /invitation#([\w-]{43})$/m.exec((await waitForMail(service, email)).text ?? '')?.[1] ?? '';
    const open = () => createConsoleBrowser(service).post('/console/invitations/open', { token });
    assert.equal((await open()).status, 200);
    await signInSeen({ ...person, email: `new.${email}` });
    assert.deepEqual(toOutcome(await open()), [404, 'link_invalid']);
  });
});
