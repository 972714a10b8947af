import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { ROLES } from '../../contract/roles.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { waitForMail } from '../harness/mails.ts';
import {
  beginTestSession,
  createConsoleBrowser,
  getTotpCode,
  MEMBER_PASSWORD,
  newMember,
  signInAs,
  type ConsoleBrowser,
  type TestMember,
} from '../harness/member.ts';
import {
  call,
  getOrganizationToken,
  newOrganization,
  newProject,
  newTestPatient,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';

const MINUTE_MS = 60_000;
const NEW_PASSWORD = 'seven green umbrellas in the attic';

let service: TestService;
let organization: string;
before(async () => {
  service = await startTestService({
    environment: {
      CHARTGATE_SIGN_UP_LIMIT: '1000',
      CHARTGATE_SECRETS_KEY: randomBytes(32).toString('base64'),
    },
  });
  organization = `/v1/organizations/${service.organization.organizationId}`;
});
after(() => service.stop());

const signIn = (
  browser: ConsoleBrowser,
  member: TestMember,
  more: { password?: string; code?: string } = {},
): Promise<HttpResponse> =>
  browser.post('/console/sign-in', { email: member.email, password: MEMBER_PASSWORD, ...more });

const getCode = (member: TestMember, steps = 0): string => getTotpCode(service, member.totpSecret, steps);

const getMember = async (browser: ConsoleBrowser): Promise<{ id: string } | null> =>
  (await browser.get('/console/session')).body.member;

/** Which actions the log has of an actor, or about a member, oldest first. */
async function listActions(id: string): Promise<string[]> {
  const rows = await service.store.db.query(sql<{ action: string }>`
    select action from audit_entry where actor_id = ${id} or detail ->> 'memberId' = ${id} order by entry_id`);
  return rows.map(({ action }) => action);
}

/** How many answers had which status. */
const countBy = (statuses: readonly number[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]),
  );

describe('the first login of an organization', () => {
  it('chooses a password and a factor before anything else is open to it', async () => {
    const { organizationId, console: login } = await newOrganization(service);
    const path = `/v1/organizations/${organizationId}`;
    const browser = createConsoleBrowser(service);
    const first = await browser.post('/console/sign-in', login);
    assert.deepEqual([first.status, first.body], [200, { setup: ['password', 'factor'] }]);
    assert.equal((await browser.get(`${path}/projects`)).body.code, 'setup_required');
    const weak = { currentPassword: login.password, newPassword: 'password1234' };
    assert.equal((await browser.post('/console/password', weak)).body.code, 'weak_password');
    const same = { currentPassword: login.password, newPassword: login.password };
    assert.equal((await browser.post('/console/password', same)).body.code, 'same_password');
    // Whose login was made on the server is called by its address until they say who they are.
    const before = (await browser.get('/console/session')).body;
    assert.deepEqual([before.member.name, before.keepsMails], [login.email, true]);
    const name = 'Ana Ruiz';
    const change = { currentPassword: login.password, newPassword: NEW_PASSWORD, name };
    assert.equal((await browser.post('/console/password', change)).status, 204);
    assert.equal((await browser.get(`${path}/projects`)).body.code, 'setup_required');
    assert.equal((await browser.post('/console/recovery-codes')).body.code, 'setup_required');
    const { secret, uri } = (await browser.post('/console/totp')).body as { secret: string; uri: string };
    assert.match(uri, /^otpauth:\/\/totp\/Chartgate:admin\d+%40clinic\.example\?/);
    assert.equal((await browser.post('/console/totp/activate', { code: '000000' })).body.code, 'wrong_code');
    const activated = await browser.post('/console/totp/activate', { code: getTotpCode(service, secret) });
    assert.equal(activated.status, 200);
    assert.equal(new Set(activated.body.recoveryCodes).size, 10);
    const { body } = await browser.get('/console/session');
    assert.deepEqual(
      [body.setup, body.member.role, body.member.name, body.isConfirmed],
      [[], 'owner', name, true],
    );
    assert.equal((await browser.get(`${path}/projects`)).status, 200);
    assert.equal((await createConsoleBrowser(service).post('/console/sign-in', login)).status, 401);
    assert.deepEqual((await listActions(body.member.id)).slice(0, 4), [
      'console.signed_in',
      'member.changed',
      'console.password_changed',
      'console.factor_changed',
    ]);
  });
});

describe('signing in', () => {
  it('asks for the code where the password is right, and begins a session with it', async () => {
    const member = await newMember(service, 'admin');
    const browser = createConsoleBrowser(service);
    assert.equal((await signIn(browser, member)).body.code, 'code_required');
    assert.equal(await getMember(browser), null);
    assert.equal((await signIn(browser, member, { code: getCode(member) })).status, 200);
    assert.equal((await getMember(browser))?.id, member.memberId);
    assert.equal((await browser.post('/console/sign-out')).status, 204);
    assert.equal(await getMember(browser), null);
    assert.equal((await browser.get(`${organization}/projects`)).status, 401);
  });

  it('is refused alike with a wrong password, a wrong code and for nobody, and a code is no password', async () => {
    const member = await newMember(service, 'admin');
    const browser = createConsoleBrowser(service);
    const answers = await Promise.all([
      signIn(browser, member, { password: 'wrong' }),
      signIn(browser, member, { password: 'wrong', code: getCode(member) }),
      signIn(browser, member, { code: '000000' }),
      signIn(browser, { ...member, email: 'nobody@clinic.example' }),
    ]);
    for (const { status, body } of answers) assert.deepEqual([status, body], [401, answers[0].body]);
  });

  it('takes a code of the app once, also where it is sent four times at once (case 245)', async () => {
    const member = await newMember(service, 'admin');
    const code = getCode(member);
    const browsers = [0, 1, 2, 3].map(() => createConsoleBrowser(service));
    const statuses = await Promise.all(
      browsers.map(async (browser) => (await signIn(browser, member, { code })).status),
    );
    assert.deepEqual(countBy(statuses), { 200: 1, 401: 3 });
    // An older one that was never used is over too.
    assert.equal(
      (await signIn(createConsoleBrowser(service), member, { code: getCode(member, -1) })).status,
      401,
    );
    assert.equal(
      (await signIn(createConsoleBrowser(service), member, { code: getCode(member, 1) })).status,
      200,
    );
  });

  it('takes each recovery code once, however it is written, and none of before a renewal (case 246)', async () => {
    const member = await newMember(service, 'admin');
    const browser = await signInAs(service, member);
    const renew = async (): Promise<string[]> =>
      (await browser.post('/console/recovery-codes')).body.recoveryCodes;
    const [old = ''] = await renew();
    const [first = '', second = ''] = await renew();
    const status = async (code: string): Promise<number> =>
      (await signIn(createConsoleBrowser(service), member, { code })).status;
    assert.equal(await status(old), 401);
    assert.equal(await status(first.toUpperCase().replaceAll('-', ' ')), 200);
    assert.equal(await status(first), 401);
    assert.deepEqual(countBy(await Promise.all([status(second), status(second)])), { 200: 1, 401: 1 });
  });

  it('is throttled, counted before it is tried: passwords and codes (case 247)', async () => {
    const member = await newMember(service, 'admin');
    const browser = createConsoleBrowser(service);
    for (let guess = 0; guess < 10; guess++)
      assert.equal((await signIn(browser, member, { password: `wrong ${guess}` })).status, 401);
    assert.equal((await signIn(browser, member, { code: getCode(member) })).status, 429);
    // Whoever knows the password begins anew with the count of passwords, not with that of codes.
    const other = await newMember(service, 'admin');
    const statuses: number[] = [];
    for (let guess = 0; guess < 24; guess++) {
      if (guess % 6 === 0) await signIn(browser, other);
      statuses.push((await signIn(browser, other, { code: String(100_000 + guess) })).status);
    }
    assert.deepEqual([...new Set(statuses.slice(0, 20))], [401]);
    assert.deepEqual([...new Set(statuses.slice(20))], [429]);
  });

  it('begins a session of its own, whatever cookie the browser has, and ends the one before (case 248)', async () => {
    const member = await newMember(service, 'admin');
    const attacker = await signInAs(service, await newMember(service, 'admin'));
    const planted = attacker.cookies.get('chartgate-console') ?? '';
    const browser = createConsoleBrowser(service);
    await browser.csrfToken();
    browser.cookies.set('chartgate-console', planted);
    await signIn(browser, member, { code: getCode(member) });
    assert.notEqual(browser.cookies.get('chartgate-console'), planted);
    assert.equal((await getMember(browser))?.id, member.memberId);
    assert.equal(await getMember(attacker), null);
  });
});

describe('a session of the console', () => {
  it('ends after half an hour without use, and after twelve hours whatever happens', async () => {
    const member = await newMember(service, 'auditor');
    const idle = await signInAs(service, member);
    const used = await signInAs(service, member);
    service.clock.advance(20 * MINUTE_MS);
    assert.equal((await used.get(`${organization}/projects`)).status, 200);
    service.clock.advance(15 * MINUTE_MS);
    assert.equal((await idle.get(`${organization}/projects`)).body.code, 'not_signed_in');
    for (let minutes = 35; minutes < 12 * 60; minutes += 25) {
      assert.equal((await used.get(`${organization}/projects`)).status, 200, `${minutes}`);
      service.clock.advance(25 * MINUTE_MS);
    }
    assert.equal((await used.get(`${organization}/projects`)).status, 401);
  });

  it('is listed, and ended from another one', async () => {
    const member = await newMember(service, 'auditor');
    const [here, there] = [await signInAs(service, member), await signInAs(service, member)];
    const { sessions } = (await here.get('/console/sessions')).body as {
      sessions: { id: string; isThis: boolean }[];
    };
    assert.deepEqual([sessions.length, sessions.filter(({ isThis }) => isThis).length], [2, 1]);
    const id = sessions.find(({ isThis }) => !isThis)?.id;
    assert.equal((await here.post('/console/sessions/end', { id })).status, 204);
    assert.equal((await here.post('/console/sessions/end', { id })).status, 404);
    assert.equal(await getMember(there), null);
    assert.notEqual(await getMember(here), null);
  });

  it('ends all others at once, with an entry for each', async () => {
    const member = await newMember(service, 'auditor');
    const [here, ...others] = [
      await signInAs(service, member),
      await signInAs(service, member),
      await signInAs(service, member),
    ] as const;
    const stranger = await signInAs(service, await newMember(service, 'auditor'));
    assert.equal((await here.post('/console/sessions/end-others')).status, 204);
    for (const other of others) assert.equal(await getMember(other), null);
    for (const left of [here, stranger]) assert.notEqual(await getMember(left), null);
    assert.deepEqual(await listActions(member.memberId), ['console.session_ended', 'console.session_ended']);
  });

  it('beside a bearer token is refused, whoever they are (case 249)', async () => {
    const browser = await signInAs(service, await newMember(service, 'owner'));
    const token = await getOrganizationToken(service);
    const { status, body } = await browser.get(`${organization}/projects`, {
      authorization: `Bearer ${token}`,
    });
    assert.deepEqual([status, body.code], [400, 'two_credentials']);
  });

  it('calls nothing from another site: without the proof, with a stolen one, with another origin (case 250)', async () => {
    const browser = await signInAs(service, await newMember(service, 'owner'));
    const projects = `${organization}/projects`;
    const json = { name: 'Forged' };
    const elsewhere = await createConsoleBrowser(service).csrfToken();
    for (const headers of [
      { 'x-csrf-token': '' },
      { 'x-csrf-token': elsewhere },
      { origin: 'https://elsewhere.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const { status } = await browser.post(projects, json, headers);
      assert.equal(status, 403, JSON.stringify(headers));
      const deleted = await browser.send('DELETE', `${organization}/members/${NOBODY}`, undefined, headers);
      assert.equal(deleted.status, 403);
    }
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://elsewhere.example' }])
      assert.equal((await browser.get(projects, headers as never)).body.code ?? '', 'csrf');
    assert.equal((await browser.get(projects, { 'sec-fetch-site': 'same-origin' })).status, 200);
    assert.equal((await browser.post(projects, json)).status, 201);
  });

  it('reads no record, and is nobody where patients are (case 251)', async () => {
    const patient = await newTestPatient(service);
    const browser = await signInAs(service, await newMember(service, 'owner'));
    assert.equal((await browser.get(`/FHIR/R4/Person/${patient.id}/$everything`)).status, 401);
    assert.equal((await browser.get('/account/session')).body.person, null);
    assert.equal((await browser.get('/account/sessions')).status, 401);
    assert.equal((await browser.get(`/v1/patients/${patient.id}/documents`)).status, 401);
  });

  it('asks for presence again before what others rely on, and takes a code for it once (case 252)', async () => {
    const member = await newMember(service, 'owner');
    const browser = await signInAs(service, member);
    const other = await signInAs(service, member);
    service.clock.advance(6 * MINUTE_MS);
    const keys = `${organization}/api-keys`;
    const json = { name: 'Late', role: 'researcher' };
    assert.equal((await browser.post(keys, json)).body.code, 'confirmation_required');
    assert.equal((await browser.post('/console/totp')).body.code, 'confirmation_required');
    assert.equal((await browser.get(keys)).status, 200);
    for (const proof of [{ password: 'wrong' }, { code: '000000' }])
      assert.equal((await browser.post('/console/confirm', proof)).status, 401);
    for (const proof of [{}, { password: MEMBER_PASSWORD, code: getCode(member) }])
      assert.equal((await browser.post('/console/confirm', proof)).status, 400);
    const code = getCode(member);
    assert.equal((await browser.post('/console/confirm', { code })).status, 204);
    assert.equal((await browser.post('/console/confirm', { code })).status, 401);
    assert.equal((await browser.post(keys, json)).status, 201);
    assert.equal(
      (await other.post(keys, json)).body.code,
      'confirmation_required',
      'the proof is of one session',
    );
    assert.equal((await other.post('/console/confirm', { password: MEMBER_PASSWORD })).status, 204);
    assert.equal((await other.post(keys, json)).status, 201);
  });
});

const NOBODY = '01999999-0000-7000-8000-000000000000';

describe('what asks for presence', () => {
  it('is refused to every session whose proof is too old, and to no key', async () => {
    const browser = await signInAs(service, await newMember(service, 'owner'));
    await browser.csrfToken();
    service.clock.advance(6 * MINUTE_MS);
    const token = await getOrganizationToken(service);
    for (const { method, path, presence, page } of ENDPOINTS) {
      if (!presence) continue;
      const url = path.replace('{orgId}', service.organization.organizationId).replaceAll(/\{\w+\}/g, NOBODY);
      const json = method === 'GET' ? undefined : {};
      assert.equal(
        (await browser.send(method, url, json)).body.code,
        'confirmation_required',
        `${method} ${path}`,
      );
      if (page !== undefined) continue;
      const { status, body } = await call(service, url, { method, token, ...(json && { json }) });
      assert.notEqual(body?.code, 'confirmation_required', `${method} ${path} ${status}`);
    }
  });

  it('asks before a webhook is led elsewhere, paused or deleted, and does it afterwards', async () => {
    const browser = await signInAs(service, await newMember(service, 'developer'));
    const { body: webhook } = await browser.post(`${organization}/webhooks`, {
      url: 'https://[2001:4860:4860::8888]/events',
      description: 'Events',
      eventTypes: ['consent.withdrawn'],
      projectScope: { type: 'all' },
    });
    const { secret: _, ...shown } = webhook;
    service.clock.advance(6 * MINUTE_MS);
    const url = `${organization}/webhooks/${webhook.id}`;
    const elsewhere = { url: 'https://[2001:4860:4860::8844]/events' };
    const attempts = [
      () => browser.send('PATCH', url, elsewhere),
      () => browser.post(`${url}/pause`),
      () => browser.send('DELETE', url),
    ];
    for (const attempt of attempts) assert.equal((await attempt()).body.code, 'confirmation_required');
    assert.deepEqual((await browser.get(url)).body, shown);
    assert.equal((await browser.post('/console/confirm', { password: MEMBER_PASSWORD })).status, 204);
    const statuses: number[] = [];
    for (const attempt of attempts) statuses.push((await attempt()).status);
    assert.deepEqual(statuses, [200, 200, 204]);
  });
});

describe('a member', () => {
  it('is invited by mail, joins once, and signs in with a factor of their own', async () => {
    const owner = await signInAs(service, await newMember(service, 'owner'));
    const email = 'new.member@clinic.example';
    const project = await newProject(service);
    const json = { email: 'New.Member@clinic.example', role: 'researcher', projectIds: [project] };
    const invited = await owner.post(`${organization}/invitations`, json);
    assert.equal(invited.status, 201, JSON.stringify(invited.body));
    assert.deepEqual((await owner.get(`${organization}/invitations`)).body.results, [invited.body]);
    const mail = await waitForMail(service, email);
    const token = /\/console\/invitation#([\w-]{43})$/m.exec(mail.text ?? '')?.[1] ?? '';
    assert.ok(!JSON.stringify(invited.body).includes(token));
    const browser = createConsoleBrowser(service);
    const opened = await browser.post('/console/invitations/open', { token });
    assert.deepEqual(
      [opened.body.email, opened.body.role, opened.body.isReset],
      [email, 'researcher', false],
    );
    const accept = { token, password: NEW_PASSWORD };
    assert.equal(
      (await browser.post('/console/invitations/accept', accept)).status,
      400,
      'a name is missing',
    );
    const weak = { ...accept, name: 'Ana Ruiz', password: 'new.member@clinic.example' };
    assert.equal((await browser.post('/console/invitations/accept', weak)).body.code, 'weak_password');
    const joined = await browser.post('/console/invitations/accept', { ...accept, name: 'Ana Ruiz' });
    assert.deepEqual([joined.status, joined.body], [200, { setup: ['factor'] }]);
    assert.equal((await browser.get(`${organization}/projects`)).body.code, 'setup_required');
    const again = await createConsoleBrowser(service).post('/console/invitations/accept', {
      ...accept,
      name: 'B',
    });
    assert.equal(again.body.code, 'link_invalid');
    const { secret } = (await browser.post('/console/totp')).body;
    await browser.post('/console/totp/activate', { code: getTotpCode(service, secret as string) });
    const { results, total } = (await browser.get(`${organization}/projects`)).body;
    assert.deepEqual([total, results[0].id], [1, project]);
    assert.equal((await browser.get(`${organization}/members`)).status, 403);
    const listed = (await owner.get(`${organization}/members?limit=1000`)).body.results;
    const found = listed.find((member: { email: string }) => member.email === email);
    assert.deepEqual([found.name, found.role, found.hasFactor], ['Ana Ruiz', 'researcher', true]);
  });

  it('is not made by an invitation that was taken back, replaced, has expired, or of an address elsewhere (case 253)', async () => {
    const owner = await signInAs(service, await newMember(service, 'owner'));
    const invite = async (email: string): Promise<{ id: string; token: string }> => {
      const { body } = await owner.post(`${organization}/invitations`, { email, role: 'auditor' });
      const mails = await invitationsTo(email);
      return { id: body.id as string, token: mails.at(-1) ?? '' };
    };
    let mailCount = 0;
    const invitationsTo = async (email: string): Promise<string[]> => {
      const mail = await waitForMail(service, email, email === 'gone@clinic.example' ? ++mailCount : 1);
      return [/invitation#([\w-]{43})$/m.exec(mail.text ?? '')?.[1] ?? ''];
    };
    const accept = async (token: string): Promise<string> =>
      (
        await createConsoleBrowser(service).post('/console/invitations/accept', {
          token,
          password: NEW_PASSWORD,
          name: 'Somebody',
        })
      ).body.code as string;
    const first = await invite('gone@clinic.example');
    const second = await invite('gone@clinic.example');
    assert.equal(await accept(first.token), 'link_invalid');
    await owner.send('DELETE', `${organization}/invitations/${second.id}`);
    assert.equal(await accept(second.token), 'link_invalid');
    const late = await invite('late@clinic.example');
    service.clock.advance(7 * 24 * 60 * MINUTE_MS + 1000);
    assert.equal(await accept(late.token), 'link_invalid');
    const elsewhere = await newOrganization(service);
    const back = await signInAs(service, await newMember(service, 'owner'));
    const answer = await back.post(`${organization}/invitations`, {
      email: elsewhere.console.email,
      role: 'owner',
    });
    assert.equal(answer.status, 201);
    const mail = await waitForMail(service, elsewhere.console.email);
    assert.equal(await accept(/invitation#([\w-]{43})$/m.exec(mail.text ?? '')?.[1] ?? ''), 'address_taken');
    assert.equal(await accept('x'.repeat(43)), 'link_invalid');
  });

  it('is not made, and no factor chosen anew, by an invitation of who could make it no more (case 334)', async () => {
    const ownerMember = await newMember(service, 'owner');
    const owner = await signInAs(service, ownerMember);
    const open = async (email: string): Promise<() => Promise<unknown>> => {
      const mail = await waitForMail(service, email);
      const token = /(?:invitation|reset)#([\w-]{43})$/m.exec(mail.text ?? '')?.[1] ?? '';
      const browser = createConsoleBrowser(service);
      const accepted = { token, password: NEW_PASSWORD, name: 'Somebody' };
      assert.equal((await browser.post('/console/invitations/open', { token })).status, 200);
      return async () => (await browser.post('/console/invitations/accept', accepted)).body.code;
    };
    const invite = async (by: ConsoleBrowser, email: string): Promise<() => Promise<unknown>> => {
      assert.equal((await by.post(`${organization}/invitations`, { email, role: 'admin' })).status, 201);
      return open(email);
    };
    const maker = await newMember(service, 'admin');
    const path = `${organization}/members/${maker.memberId}`;
    const ofDemoted = await invite(await signInAs(service, maker), 'by-demoted@clinic.example');
    assert.equal((await owner.send('PATCH', path, { role: 'auditor' })).status, 200);
    assert.equal(await ofDemoted(), 'link_invalid');
    assert.ok(
      (await owner.get(`${organization}/invitations`)).body.results.every(
        ({ email }: { email: string }) => email !== 'by-demoted@clinic.example',
      ),
    );
    assert.equal((await owner.send('PATCH', path, { role: 'admin' })).status, 200);
    const ofRemoved = await invite(await signInAs(service, maker), 'by-removed@clinic.example');
    const promoted = await newMember(service, 'auditor');
    const admin = await newMember(service, 'admin');
    const reset = `${organization}/members/${promoted.memberId}/reset`;
    assert.equal((await (await signInAs(service, admin)).post(reset)).status, 202);
    const chooseAnew = await open(promoted.email);
    assert.equal((await owner.send('DELETE', path)).status, 204);
    assert.equal(await ofRemoved(), 'link_invalid');
    const promotion = { role: 'owner' };
    assert.equal(
      (await owner.send('PATCH', `${organization}/members/${promoted.memberId}`, promotion)).status,
      200,
    );
    assert.equal(await chooseAnew(), 'link_invalid', 'an admin chooses no password of an owner');
    const key = (await owner.post(`${organization}/api-keys`, { name: 'Invites', role: 'admin' })).body;
    const token = (
      await call(service, '/v1/auth/token', { json: { apiKey: key.apiKey, apiSecret: key.apiSecret } })
    ).body.token as string;
    const leaked = { email: 'by-leaked@clinic.example', role: 'admin' };
    assert.equal((await call(service, `${organization}/invitations`, { token, json: leaked })).status, 201);
    const ofLeaked = await open(leaked.email);
    const rotated = await owner.post(`${organization}/api-keys/${key.id}/rotate`, { graceSeconds: 0 });
    assert.equal(rotated.status, 200);
    assert.equal(await ofLeaked(), 'link_invalid', 'a secret that leaked ends with what it made');
    const login = { apiKey: key.apiKey, apiSecret: rotated.body.apiSecret };
    const renewed = (await call(service, '/v1/auth/token', { json: login })).body.token as string;
    const invited = { email: 'by-key@clinic.example', role: 'auditor' };
    assert.equal(
      (await call(service, `${organization}/invitations`, { token: renewed, json: invited })).status,
      201,
    );
    const accept = await open(invited.email);
    assert.equal((await owner.send('DELETE', `${organization}/api-keys/${key.id}`)).status, 204);
    assert.equal(await accept(), 'link_invalid');
  });

  it('of another role or removed is refused at the next call, with every session (case 254)', async () => {
    const owner = await signInAs(service, await newMember(service, 'owner'));
    const member = await newMember(service, 'admin');
    const path = `${organization}/members/${member.memberId}`;
    for (const [change, then] of [
      [() => owner.send('PATCH', path, { role: 'auditor' }), 200],
      [() => owner.send('DELETE', path), 204],
    ] as const) {
      const browsers = [await signInAs(service, member), await signInAs(service, member)];
      for (const browser of browsers)
        assert.equal((await browser.get(`${organization}/projects`)).status, 200);
      assert.equal((await change()).status, then);
      for (const browser of browsers)
        assert.equal((await browser.get(`${organization}/projects`)).status, 401);
    }
    assert.equal(
      (await signIn(createConsoleBrowser(service), member, { code: getCode(member) })).status,
      401,
    );
    await assert.rejects(beginTestSession(service, member.memberId).then((cookie) => assertSignedIn(cookie)));
    const kept = await service.store.db.query(
      sql`select from member where member_id = ${member.memberId} and name <> '' and password_hash = '' and totp_secret is null`,
    );
    assert.equal(kept.length, 1, 'name and address stay for the log');
    assert.deepEqual((await listActions(member.memberId)).slice(0, 2), ['member.changed', 'member.removed']);
  });

  async function assertSignedIn(cookie: string): Promise<void> {
    const browser = createConsoleBrowser(service);
    browser.cookies.set('chartgate-console', cookie);
    assert.notEqual(await getMember(browser), null);
  }

  it('ends every other session with a new password, also one that is begun under the old one meanwhile (case 255)', async () => {
    const member = await newMember(service, 'admin');
    const [here, there] = [await signInAs(service, member), await signInAs(service, member)];
    const rows = await service.store.db.query(
      sql<{
        line: string;
      }>`select row_to_json(s)::text as line from member_session s where member_id = ${member.memberId}`,
    );
    const json = { currentPassword: MEMBER_PASSWORD, newPassword: NEW_PASSWORD };
    assert.equal((await here.post('/console/password', json)).status, 204);
    // A sign-in that was under way writes its session after the change deleted those it found.
    for (const { line } of rows)
      await service.store.db.query(sql`
        insert into member_session select * from json_populate_record(null::member_session, ${line}::json) on conflict do nothing`);
    assert.equal(await getMember(there), null);
    assert.equal((await getMember(here))?.id, member.memberId);
  });

  it('who is an admin makes, changes and removes no owner; nor does an admin key (case 256)', async () => {
    const owner = await newMember(service, 'owner');
    const other = await newMember(service, 'auditor');
    const admin = await signInAs(service, await newMember(service, 'admin'));
    const token = await getOrganizationToken(service);
    const members = `${organization}/members`;
    for (const [method, path, json] of [
      ['PATCH', `${members}/${owner.memberId}`, { role: 'auditor' }],
      ['PATCH', `${members}/${other.memberId}`, { role: 'owner' }],
      ['DELETE', `${members}/${owner.memberId}`, undefined],
      ['POST', `${members}/${owner.memberId}/reset`, undefined],
      ['POST', `${organization}/invitations`, { email: 'boss@clinic.example', role: 'owner' }],
    ] as const) {
      const own = await admin.send(method, path, json);
      assert.deepEqual([own.status, own.body.code], [403, 'owner_required'], `${method} ${path}`);
      const key = await call(service, path, { method, token, ...(json !== undefined && { json }) });
      assert.deepEqual([key.status, key.body.code], [403, 'owner_required']);
    }
    const developer = await signInAs(service, await newMember(service, 'developer'));
    const keys = `${organization}/api-keys`;
    for (const role of ['admin', 'researcher'])
      assert.equal((await developer.post(keys, { name: 'Mine', role })).body.code, 'admin_required', role);
    const adminKey = (await developer.get(`${keys}?limit=1000`)).body.results.find(
      ({ role }: { role: string }) => role === 'admin',
    );
    assert.equal((await developer.send('DELETE', `${keys}/${adminKey.id}`)).body.code, 'admin_required');
    assert.equal((await developer.post(`${keys}/${adminKey.id}/rotate`, {})).body.code, 'admin_required');
  });

  it('who is the last owner stays one, also where two owners remove each other at once (case 257)', async () => {
    const created = await newOrganization(service);
    const { organizationId } = created;
    const path = `/v1/organizations/${organizationId}/members`;
    const owners = [
      await newMember(service, 'owner', { organizationId }),
      await newMember(service, 'owner', { organizationId }),
    ];
    const browsers = await Promise.all(owners.map((owner) => signInAs(service, owner)));
    const [first, second] = browsers;
    assert.ok(first && second);
    const listed = (await first.get(path)).body.results as { id: string; email: string }[];
    const initial = listed.find(({ email }) => email === created.console.email)?.id ?? '';
    assert.equal((await first.send('DELETE', `${path}/${initial}`)).status, 204);
    const statuses = await Promise.all([
      first.send('DELETE', `${path}/${owners[1]?.memberId}`),
      second.send('PATCH', `${path}/${owners[0]?.memberId}`, { role: 'admin' }),
    ]);
    assert.equal(statuses.filter(({ status }) => status < 300).length, 1);
    const left = await service.store.db.query(sql`
      select from member where organization_id = ${organizationId} and role = 'owner' and removed_at is null`);
    assert.equal(left.length, 1);
    const last = statuses[0]?.status === 204 ? first : second;
    const id = statuses[0]?.status === 204 ? owners[0]?.memberId : owners[1]?.memberId;
    assert.equal((await last.send('DELETE', `${path}/${id}`)).body.code, 'last_owner');
    assert.equal((await last.send('PATCH', `${path}/${id}`, { role: 'auditor' })).body.code, 'last_owner');
  });

  it('who lost the factor chooses password and factor anew, and the present ones stay until then (case 258)', async () => {
    const owner = await signInAs(service, await newMember(service, 'owner'));
    const member = await newMember(service, 'auditor');
    const before = await signInAs(service, member);
    const reset = await owner.post(`${organization}/members/${member.memberId}/reset`);
    assert.equal(reset.status, 202);
    assert.notEqual(await getMember(before), null);
    const mail = await waitForMail(service, member.email);
    const token = /invitation#([\w-]{43})$/m.exec(mail.text ?? '')?.[1] ?? '';
    const browser = createConsoleBrowser(service);
    const answers = await Promise.all(
      [browser, createConsoleBrowser(service)].map((each) =>
        each.post('/console/invitations/accept', { token, password: NEW_PASSWORD }),
      ),
    );
    assert.deepEqual(countBy(answers.map(({ status }) => status)), { 200: 1, 404: 1 });
    assert.equal(await getMember(before), null);
    assert.equal(
      (await signIn(createConsoleBrowser(service), member, { code: getCode(member) })).status,
      401,
    );
    const without = await signIn(createConsoleBrowser(service), member, { password: NEW_PASSWORD });
    assert.deepEqual(without.body, { setup: ['factor'] });
  });

  it('of another organization is nobody here (case 259)', async () => {
    const stranger = await newOrganization(service);
    const { organizationId } = stranger;
    const foreign = await signInAs(service, await newMember(service, 'owner', { organizationId }));
    const member = await newMember(service, 'auditor');
    const own = `/v1/organizations/${organizationId}`;
    assert.equal((await foreign.get(`${organization}/members`)).status, 403);
    for (const [method, path, json] of [
      ['PATCH', `${own}/members/${member.memberId}`, { role: 'owner' }],
      ['DELETE', `${own}/members/${member.memberId}`, undefined],
      ['POST', `${own}/members/${member.memberId}/reset`, undefined],
      ['DELETE', `${own}/invitations/${NOBODY}`, undefined],
    ] as const)
      assert.equal((await foreign.send(method, path, json)).status, 404, `${method} ${path}`);
    const project = service.organization.projectId;
    const invitation = { email: 'x@clinic.example', role: 'researcher', projectIds: [project] };
    assert.equal((await foreign.post(`${own}/invitations`, invitation)).status, 400);
  });

  it('changes their own name whatever their role, nobody else’s, and leaves an entry', async () => {
    for (const role of ROLES) {
      const member = await newMember(service, role);
      const browser = await signInAs(service, member);
      assert.equal((await browser.post('/console/name', { name: `Ana ${role}` })).status, 204, role);
      assert.equal(
        (await browser.get('/console/session')).body.member.name,
        `Ana ${role}`,
        'and stays signed in',
      );
      const changes = (await listActions(member.memberId)).filter((action) => action === 'member.changed');
      assert.equal(changes.length, 1);
      assert.equal((await browser.post('/console/name', { name: `Ana ${role}` })).status, 204);
      assert.equal(
        (await listActions(member.memberId)).at(-1),
        'member.changed',
        'the same name is no change',
      );
      for (const name of ['', '  ', 'Ana\u202eRuiz', 'x'.repeat(1_000)])
        assert.equal((await browser.post('/console/name', { name })).status, 400, name);
      const forged = await browser.post('/console/name', { name: 'Ana' }, { 'x-csrf-token': 'another' });
      assert.equal(forged.status, 403);
    }
    const researcher = await signInAs(service, await newMember(service, 'researcher'));
    const { memberId } = await newMember(service, 'researcher');
    const others = await researcher.send('PATCH', `${organization}/members/${memberId}`, { name: 'Ana' });
    assert.equal(others.status, 403);
    assert.equal((await createConsoleBrowser(service).post('/console/name', { name: 'Ana' })).status, 401);
  });

  it('has one of the roles of the table, and projects only as a researcher', async () => {
    const owner = await signInAs(service, await newMember(service, 'owner'));
    const project = service.organization.projectId;
    for (const role of ROLES.filter((each) => each !== 'researcher')) {
      const json = { email: 'x@clinic.example', role, projectIds: [project] };
      assert.equal((await owner.post(`${organization}/invitations`, json)).status, 400, role);
    }
    const { memberId, email } = await newMember(service, 'researcher', { projectIds: [project] });
    const path = `${organization}/members/${memberId}`;
    assert.deepEqual((await owner.send('PATCH', path, { name: 'Ana' })).body.projectIds, [project]);
    assert.equal((await owner.send('PATCH', path, { role: 'auditor' })).body.projectIds, null);
    assert.equal((await owner.send('PATCH', path, { projectIds: [project] })).status, 400);
    const taken = await owner.post(`${organization}/invitations`, { email, role: 'auditor' });
    assert.equal(taken.body.code, 'member_exists');
  });
});
