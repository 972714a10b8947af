import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import type { PatientId } from '../../contract/brands.ts';
import { partnerAccessFor } from '../../server/consent/access/partner-access.ts';
import { toCaller, type Claims } from '../../server/identity/tokens/claims.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { selectRecordSummary } from '../../server/surfaces/fhir/record.sql.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import {
  call,
  decide,
  getOrganizationToken,
  newOrganization,
  newProject,
  newTestPatient,
  startTestService,
  upload,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { newMember, signInAs } from '../harness/member.ts';
import { createWebhookApi } from '../harness/webhooks.ts';

const HOUR_MS = 3_600_000;

let service: TestService;
let admin: string;
let keys: string;
before(async () => {
  service = await startTestService();
  admin = await getOrganizationToken(service);
  keys = `/v1/organizations/${service.organization.organizationId}/api-keys`;
});
after(() => service.stop());

interface CreatedKey {
  id: string;
  apiKey: string;
  apiSecret: string;
}

const send = (path: string, json?: unknown, method = 'POST', token = admin): Promise<HttpResponse> =>
  call(service, keys + path, { token, method, ...(json !== undefined && { json }) });

async function createKey(more: object = {}): Promise<CreatedKey> {
  const { status, body } = await send('', { name: 'Nightly export', role: 'researcher', ...more });
  assert.equal(status, 201, JSON.stringify(body));
  return body as CreatedKey;
}

const logIn = ({ apiKey, apiSecret }: Omit<CreatedKey, 'id'>): Promise<HttpResponse> =>
  call(service, '/v1/auth/token', { json: { apiKey, apiSecret } });

const getToken = async (key: Omit<CreatedKey, 'id'>): Promise<string> =>
  (await logIn(key)).body.token as string;

/** The status of a call that every role of the organization may make. */
const getStatus = async (token: string): Promise<number> =>
  (await call(service, `/v1/organizations/${service.organization.organizationId}/projects`, { token }))
    .status;

describe('an API key', () => {
  it('shows its secret once, is listed with who made it, and expires after a year', async () => {
    const created = await createKey({ role: 'admin' });
    const { body } = await send('?limit=1', undefined, 'GET');
    const [listed] = body.results;
    assert.equal(listed.id, created.id);
    assert.deepEqual(
      [listed.name, listed.role, listed.state, listed.projectIds, listed.lastUsedAt],
      ['Nightly export', 'admin', 'active', null, null],
    );
    assert.deepEqual(listed.createdBy, { kind: 'admin', id: service.organization.admin.apiKey });
    assert.ok(!JSON.stringify(body).includes(created.apiSecret));
    const days = (Date.parse(listed.expiresAt) - Date.parse(listed.createdAt)) / (24 * HOUR_MS);
    assert.equal(days, 365);
    assert.equal(await getStatus(await getToken(created)), 200);
  });

  it('says in which hour a token was last obtained with it', async () => {
    const key = await createKey();
    await logIn(key);
    const { body } = await send('', undefined, 'GET');
    const { lastUsedAt, createdAt, secrets } = body.results.find(({ id }: CreatedKey) => id === key.id);
    // Not the beginning of that hour: the key was not there yet.
    assert.equal(lastUsedAt, createdAt);
    assert.ok(Date.now() - Date.parse(lastUsedAt) < 2 * HOUR_MS);
    assert.equal(secrets[0].lastUsedAt, lastUsedAt);
  });

  it('says from how many addresses it was used within a month, and stores none of them', async () => {
    const key = await createKey();
    const logInFrom = (address: string, login = key) =>
      service.app.inject({
        method: 'POST',
        url: '/v1/auth/token',
        payload: { apiKey: login.apiKey, apiSecret: login.apiSecret },
        remoteAddress: address,
      });
    const countAddresses = async () => {
      const token = await getOrganizationToken(service);
      const { body } = await send('', undefined, 'GET', token);
      const { secrets } = body.results.find(({ id }: CreatedKey) => id === key.id);
      return secrets.map(({ addresses }: { addresses: number }) => addresses);
    };
    assert.deepEqual(await countAddresses(), [0]);
    for (const address of ['203.0.113.7', '203.0.113.8', '203.0.113.7', '2001:db8::1', '2001:db8::2'])
      assert.equal((await logInFrom(address)).statusCode, 200);
    await logInFrom('203.0.113.9', { ...key, apiSecret: 'wrong' });
    assert.deepEqual(await countAddresses(), [3]);
    const rows = await service.store.db.query(
      sql<{ address_mac: Buffer }>`select address_mac from api_key_address`,
    );
    const hash = createHash('sha256').update('203.0.113.7').digest('hex');
    assert.ok(rows.every(({ address_mac: mac }) => mac.length === 32 && mac.toString('hex') !== hash));
    const { body: rotated } = await send(`/${key.id}/rotate`, {});
    await logInFrom('203.0.113.7', { ...key, apiSecret: rotated.apiSecret });
    assert.deepEqual(await countAddresses(), [1, 3], 'of each secret by itself');
  });

  it('writes what happened to it into the audit log, and never a secret', async () => {
    const key = await createKey();
    const rotated = await send(`/${key.id}/rotate`, { graceSeconds: 0 });
    await send(`/${key.id}`, undefined, 'DELETE');
    await send(`/${key.id}`, undefined, 'DELETE');
    const rows = await service.store.db.query(
      sql<{ action: string; line: string }>`
        select action, row_to_json(e)::text as line from audit_entry e where detail ->> 'apiKeyId' = ${key.id} order by entry_id`,
    );
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['api_key.created', 'api_key.rotated', 'api_key.revoked'],
    );
    for (const { line } of rows)
      for (const secret of [key.apiSecret, rotated.body.apiSecret as string])
        assert.ok(!line.includes(secret));
  });

  it('is refused that no role could be, with a project of nobody, or with an end that has passed', async () => {
    const stranger = await newOrganization(service);
    for (const [json, path] of [
      [{ role: 'owner' }, 'role'],
      [{ name: '' }, 'name'],
      [{ role: 'admin', projectIds: [service.organization.projectId] }, 'projectIds'],
      [{ projectIds: [] }, 'projectIds'],
      [{ projectIds: [stranger.projectId] }, 'projectIds[0]'],
      [{ expiresAt: new Date(service.clock.now().getTime() - 1000).toISOString() }, 'expiresAt'],
    ] as const) {
      const { status, body } = await send('', { name: 'Other', role: 'researcher', ...json });
      assert.equal(status, 400);
      assert.deepEqual(
        body.errors.map((error: { path: string }) => error.path),
        [path],
      );
    }
  });
});

describe('a rotated key', () => {
  it('has two secrets while the grace lasts; then the one before ends with its tokens (case 240)', async () => {
    const key = await createKey({ expiresAt: null });
    const before = await getToken(key);
    const { body } = await send(`/${key.id}/rotate`, { graceSeconds: 1800 });
    const rotated = { apiKey: key.apiKey, apiSecret: body.apiSecret as string };
    assert.equal(body.apiKey.secrets.length, 2);
    assert.equal(body.apiKey.secrets[1].expiresAt, body.previousExpiresAt);
    const after = await getToken(rotated);
    assert.deepEqual(
      [await getStatus(before), await getStatus(after), (await logIn(key)).status],
      [200, 200, 200],
    );
    assert.equal((await send(`/${key.id}/rotate`, { graceSeconds: 60 })).body.code, 'too_many_secrets');
    service.clock.advance(HOUR_MS / 2 + 1000);
    admin = await getOrganizationToken(service);
    assert.deepEqual(
      [await getStatus(before), await getStatus(after), (await logIn(key)).status],
      [401, 200, 401],
    );
    assert.equal((await send(`/${key.id}/rotate`, { graceSeconds: 60 })).status, 200);
  });

  it('keeps the new secret where the one before is ended sooner than the grace lasts', async () => {
    const key = await createKey();
    const { body } = await send(`/${key.id}/rotate`, { graceSeconds: 3600 });
    const rotated = { apiKey: key.apiKey, apiSecret: body.apiSecret as string };
    const tokens = await Promise.all([getToken(key), getToken(rotated)]);
    const ended = await send(`/${key.id}/end-former-secrets`, {});
    assert.equal(ended.body.secrets.length, 1);
    assert.deepEqual(await Promise.all(tokens.map(getStatus)), [401, 200]);
    assert.deepEqual([(await logIn(key)).status, (await logIn(rotated)).status], [401, 200]);
    // There is none before it: nothing changes, and nothing is noted.
    assert.deepEqual((await send(`/${key.id}/end-former-secrets`, {})).body, ended.body);
  });

  it('without grace ends every secret and token of before at once, also one in its grace (case 240)', async () => {
    const key = await createKey();
    const { body } = await send(`/${key.id}/rotate`, { graceSeconds: 3600 });
    const second = { apiKey: key.apiKey, apiSecret: body.apiSecret as string };
    const tokens = await Promise.all([getToken(key), getToken(second)]);
    const last = await send(`/${key.id}/rotate`, { graceSeconds: 0 });
    assert.equal(last.body.apiKey.secrets.length, 1);
    assert.deepEqual(await Promise.all(tokens.map(getStatus)), [401, 401]);
    assert.deepEqual([(await logIn(key)).status, (await logIn(second)).status], [401, 401]);
    assert.equal((await logIn({ apiKey: key.apiKey, apiSecret: last.body.apiSecret as string })).status, 200);
  });
});

describe('a key that has ended', () => {
  it('is refused with its tokens, whether it was revoked or has expired, at /v1 and in the reading statement (case 241)', async () => {
    const patient = await newTestPatient(service);
    const expiresAt = new Date(service.clock.now().getTime() + HOUR_MS / 2).toISOString();
    const [revoked, expiring] = [await createKey(), await createKey({ expiresAt })];
    const tokens = await Promise.all([revoked, expiring].map(getToken));
    const read = async (token: string): Promise<number[]> => [
      await getStatus(token),
      (await call(service, `/FHIR/R4/Person/${patient.id}/$everything`, { token })).status,
    ];
    for (const token of tokens) assert.deepEqual(await read(token), [200, 200]);
    assert.equal((await send(`/${revoked.id}`, undefined, 'DELETE')).status, 204);
    service.clock.advance(HOUR_MS / 2 + 1000);
    admin = await getOrganizationToken(service);
    for (const token of tokens) {
      assert.deepEqual(await read(token), [401, 401]);
      // A long answer whose token was good when it began: its next statement permits nothing, as after a withdrawal.
      const caller = toCaller(decodeJwt(token) as unknown as Claims, new Date('2100-01-01'));
      const access = partnerAccessFor(caller, patient.id as PatientId);
      const summary = await one(service.store.db, selectRecordSummary(access, service.clock.now()));
      assert.deepEqual([summary.known, summary.permitted], [true, false]);
    }
    for (const key of [revoked, expiring]) {
      assert.equal((await logIn(key)).status, 401);
      assert.equal((await send(`/${key.id}/rotate`, {})).body.code, 'api_key_ended');
    }
    const { body } = await send('', undefined, 'GET');
    const states = new Map(body.results.map(({ id, state }: { id: string; state: string }) => [id, state]));
    assert.deepEqual([states.get(revoked.id), states.get(expiring.id)], ['revoked', 'expired']);
  });
});

describe('a token of a key or a secret with an end', () => {
  it('ends with it, and says so', async () => {
    service.clock.stop();
    const now = Math.floor(service.clock.now().getTime() / 1000);
    const key = await createKey({ expiresAt: new Date((now + 1800) * 1000).toISOString() });
    assert.equal((await logIn(key)).body.expiration, now + 1800);
    await send(`/${key.id}/rotate`, { graceSeconds: 600 });
    const { body } = await logIn(key);
    assert.deepEqual([body.expiration, decodeJwt(body.token as string).exp], [now + 600, now + 600]);
  });
});

describe('the only admin key', () => {
  it('is not revoked by mistake, also where two revoke each other at once (case 242)', async () => {
    const organization = await newOrganization(service);
    const path = `/v1/organizations/${organization.organizationId}/api-keys`;
    const token = await getOrganizationToken(service, 'admin', organization);
    const list = async (): Promise<{ id: string; role: string; isLastAdminKey: boolean }[]> =>
      (await call(service, path, { token })).body.results;
    const listLast = async () => (await list()).filter((key) => key.isLastAdminKey).map(({ id }) => id);
    const [first] = (await list()).filter(({ role }) => role === 'admin');
    assert.deepEqual(await listLast(), [first?.id]);
    const revoke = (id: string): Promise<HttpResponse> =>
      call(service, `${path}/${id}`, { method: 'DELETE', token });
    assert.equal((await revoke(first?.id ?? '')).body.code, 'last_admin_key');
    const json = { name: 'Second', role: 'admin' };
    const second = (await call(service, path, { token, json })).body as CreatedKey;
    assert.deepEqual(await listLast(), []);
    const statuses = await Promise.all(
      [first?.id ?? '', second.id].map(async (id) => (await revoke(id)).status),
    );
    // Whoever comes second is refused: for the key that ended under it, or for the only one that is left.
    assert.equal(statuses.filter((status) => status === 204).length, 1, statuses.join());
    const inForce = await service.store.db.query(sql`
      select from api_key where organization_id = ${organization.organizationId} and role = 'admin' and revoked_at is null`);
    assert.equal(inForce.length, 1);
  });

  it('is refused exactly where the list says that it is the only one, also when the other has expired', async () => {
    const organization = await newOrganization(service);
    const path = `/v1/organizations/${organization.organizationId}/api-keys`;
    const send = async (url: string, more: object = {}): Promise<HttpResponse> =>
      call(service, url, { token: await getOrganizationToken(service, 'admin', organization), ...more });
    const [first] = ((await send(path)).body.results as { id: string; role: string }[]).filter(
      ({ role }) => role === 'admin',
    );
    const isLast = async (): Promise<unknown> =>
      ((await send(path)).body.results as { id: string; isLastAdminKey: boolean }[]).find(
        ({ id }) => id === first?.id,
      )?.isLastAdminKey;
    const expiresAt = new Date(service.clock.now().getTime() + HOUR_MS / 2).toISOString();
    const second = await send(path, { json: { name: 'Second', role: 'admin', expiresAt } });
    assert.equal(second.status, 201);
    assert.equal(await isLast(), false);
    service.clock.advance(HOUR_MS / 2 + 1000);
    assert.equal(await isLast(), true);
    const refused = await send(`${path}/${first?.id}`, { method: 'DELETE' });
    assert.deepEqual([refused.status, refused.body.code], [409, 'last_admin_key']);
    // The expired one is not the only one in force, whoever looks.
    assert.equal((await send(`${path}/${second.body.id}`, { method: 'DELETE' })).status, 204);
  });

  it('is no key of another organization, nor of a researcher (case 243)', async () => {
    const stranger = await newOrganization(service);
    const foreign = await getOrganizationToken(service, 'admin', stranger);
    const key = await createKey();
    const other = `/v1/organizations/${stranger.organizationId}/api-keys/${key.id}`;
    for (const [path, method] of [
      [other, 'DELETE'],
      [`${other}/rotate`, 'POST'],
    ] as const)
      assert.equal((await call(service, path, { method, token: foreign })).status, 404);
    const researcher = await getToken(key);
    for (const [path, method, json] of [
      ['', 'POST', { name: 'Mine', role: 'admin' }],
      [`/${key.id}/rotate`, 'POST', {}],
      [`/${key.id}`, 'DELETE', undefined],
      ['', 'GET', undefined],
    ] as const)
      assert.equal((await send(path, json, method, researcher)).status, 403);
    assert.equal(await getStatus(researcher), 200);
  });
});

describe('a key limited to a project', () => {
  /** Shares with the second project alone, where the key may look. */
  let inside: TestPatient;
  /** Shares with the first project alone. */
  let outside: TestPatient;
  let limited: string;
  let own: string;

  before(async () => {
    own = await newProject(service, 'Sleep study');
    inside = await newTestPatient(service, { projectId: own });
    outside = await newTestPatient(service);
    const record = createBundle(
      { resourceType: 'Patient', id: 'someone', birthDate: '1970-01-01' },
      { resourceType: 'Observation', id: 'weight', status: 'final', code: { text: 'Weight' } },
    );
    await upload(service, outside, await createArchive({ 'record.json': record }));
    limited = await getToken(await createKey({ projectIds: [own] }));
  });

  const get = (path: string): Promise<HttpResponse> => call(service, path, { token: limited });

  it('reads patients who share with that project, and answers of all others as of nobody (case 244)', async () => {
    const paths = (id: string): string[] => [
      `/FHIR/R4/Person/${id}/$everything`,
      `/FHIR/R4/Person/${id}`,
      `/v1/patients/consents?patientId=${id}`,
      `/v1/patients/${id}/consents`,
      `/v1/patients/${id}/consented-data-scopes/study/${own}`,
    ];
    for (const path of paths(inside.id)) assert.equal((await get(path)).status, 200, path);
    const nobody = await Promise.all(paths('01999999-0000-7000-8000-000000000000').map(get));
    const answers = await Promise.all(paths(outside.id).map(get));
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body]),
      nobody.map(({ status, body }) => [status, body]),
    );
    assert.ok(answers.every(({ status }) => status === 403));
    for (const path of ['Observation/weight', 'Patient/someone', `Person/${outside.id}/Observation/weight`])
      assert.ok([403, 404].includes((await get(`/FHIR/R4/${path}`)).status), path);
    assert.equal((await get('/FHIR/R4/Patient/someone/$everything')).status, 403);
    const email = encodeURIComponent(outside.email);
    assert.equal((await get(`/v1/patients/consents?email=${email}`)).body.code, 'no_consent');
  });

  it('finds by a telephone number that several patients have the one of its project (case 244)', async () => {
    const phone = '+1 555 0177';
    for (const [patient, projectId] of [
      [inside, own],
      [outside, service.organization.projectId],
    ] as const) {
      const { status } = await call(service, `/v1/projects/${projectId}/patients/${patient.id}`, {
        method: 'PATCH',
        token: admin,
        json: { phone },
      });
      assert.equal(status, 200);
    }
    const path = `/v1/patients/consents?phone=${encodeURIComponent(phone)}`;
    assert.equal((await call(service, path, { token: admin })).body.code, 'ambiguous_identifier');
    const { body } = await get(path);
    assert.equal(body.results[0].consentRecord.patientId, inside.id);
  });

  it('sees, finds, replaces and deletes the telephone numbers of its own projects alone (case 244)', async () => {
    const { organizationId, projectId: first } = service.organization;
    const email = 'two.projects@mail.example';
    const enroll = async (projectId: string, more: object = {}): Promise<string> => {
      const person = { email, firstName: 'Ina', lastName: 'Both', ...more };
      const json = { patients: [person], suppressNotifications: true };
      const { body } = await call(service, `/v1/projects/${projectId}/patients`, { token: admin, json });
      return body.successfulPatients[0].referenceId;
    };
    const id = await enroll(first, { phone: '+1 555 0181' });
    await enroll(own);
    const readPhones = async (token: string): Promise<string[]> =>
      (await call(service, `/v1/organizations/${organizationId}/patients/${id}`, { token })).body.phones;
    const count = async (phone: string, token: string): Promise<number> => {
      const query = `q=${encodeURIComponent(phone)}&projectId=${own}`;
      const path = `/v1/organizations/${organizationId}/patients?${query}`;
      return (await call(service, path, { token })).body.results.length;
    };
    const write = async (projectId: string, token: string, change: object): Promise<HttpResponse> =>
      call(service, `/v1/projects/${projectId}/patients/${id}`, { method: 'PATCH', token, json: change });
    assert.deepEqual([await readPhones(admin), await readPhones(limited)], [['+15550181'], []]);
    assert.deepEqual([await count('+15550181', admin), await count('+15550181', limited)], [1, 0]);

    assert.deepEqual((await write(own, limited, { phone: null })).body.phones, []);
    assert.deepEqual(await readPhones(admin), ['+15550181']);
    assert.deepEqual((await write(own, limited, { phone: '+1 555 0182' })).body.phones, ['+15550182']);
    assert.deepEqual([await count('+15550182', limited), await count('+15550181', limited)], [1, 0]);
    assert.deepEqual(await readPhones(admin), ['+15550181', '+15550182']);
    assert.deepEqual((await write(own, limited, { phone: '+1 555 0181' })).body.phones, ['+15550181']);
    assert.deepEqual(await readPhones(admin), ['+15550181']);
    assert.deepEqual((await write(own, limited, { phone: null })).body.phones, []);
    assert.deepEqual(await readPhones(admin), ['+15550181']);

    // Who is limited to nothing corrects it for all.
    await write(own, limited, { phone: '+1 555 0183' });
    assert.deepEqual((await write(first, admin, { phone: '+1 555 0184' })).body.phones, ['+15550184']);
    assert.deepEqual(await readPhones(limited), ['+15550184']);
    await call(service, `/v1/projects/${own}/patients/${id}`, { method: 'DELETE', token: admin });
    assert.deepEqual([await readPhones(limited), await readPhones(admin)], [[], ['+15550184']]);
  });

  it('sees numbers of before projects were kept with them of whoever took part in its projects alone (case 244)', async () => {
    const { organizationId, projectId: first } = service.organization;
    const person = {
      email: 'one.project@mail.example',
      firstName: 'Ola',
      lastName: 'One',
      phone: '+1 555 0186',
    };
    const json = { patients: [person], suppressNotifications: true };
    const enrolled = await call(service, `/v1/projects/${own}/patients`, { token: admin, json });
    const id = enrolled.body.successfulPatients[0].referenceId as string;
    await service.store.db.query(sql`update patient_phone set project_ids = null where patient_id = ${id}`);
    const readPhones = async (): Promise<string[]> =>
      (await get(`/v1/organizations/${organizationId}/patients/${id}`)).body.phones;
    assert.deepEqual(await readPhones(), ['+15550186']);
    const other = { patients: [{ ...person, phone: undefined }], suppressNotifications: true };
    await call(service, `/v1/projects/${first}/patients`, { token: admin, json: other });
    assert.deepEqual(await readPhones(), []);
    await call(service, `/v1/projects/${first}/patients/${id}`, { method: 'DELETE', token: admin });
    assert.deepEqual(await readPhones(), []);
  });

  it('corrects names and addresses of its own projects alone (case 244)', async () => {
    const { organizationId, projectId: first } = service.organization;
    const person = { email: 'written.twice@mail.example', firstName: 'Una', lastName: 'Twice' };
    const json = { patients: [person], suppressNotifications: true };
    const enrolled = await call(service, `/v1/projects/${first}/patients`, { token: admin, json });
    const id = enrolled.body.successfulPatients[0].referenceId as string;
    await call(service, `/v1/projects/${own}/patients`, { token: admin, json });
    const change = { email: 'other.box@mail.example', lastName: 'Changed', suppressNotifications: true };
    const target = { method: 'PATCH', token: limited, json: change };
    const { status, body } = await call(service, `/v1/projects/${own}/patients/${id}`, target);
    assert.deepEqual([status, body.email, body.lastName], [200, change.email, 'Changed']);
    const path = `/v1/organizations/${organizationId}/patients?q=${id}`;
    const { results } = (await call(service, path, { token: admin })).body;
    const there = results.find(({ project }: { project: { id: string } }) => project.id === first);
    assert.deepEqual([there.email, there.lastName], [person.email, 'Twice']);
    const [account] = await service.store.db.query<{ email: string; last_name: string }>(
      sql`select email, last_name from patient where patient_id = ${id}`,
    );
    assert.deepEqual(account, { email: person.email, last_name: 'Twice' });
  });

  it('sees of somebody in both projects what is of its own (case 244)', async () => {
    const { organizationId } = service.organization;
    const first = service.organization.projectId;
    const both = await newTestPatient(service);
    await call(service, `/v1/projects/${own}/patients`, {
      token: admin,
      json: { patients: [{ email: both.email, firstName: 'A', lastName: 'B' }], suppressNotifications: true },
    });
    const everything = `/FHIR/R4/Person/${both.id}/$everything`;
    assert.equal((await get(everything)).status, 403, 'a consent to the other project permits nothing');
    const { email, password } = both;
    const login = await call(service, '/v1/auth/token', { json: { email, password, projectId: own } });
    await decide(service, { ...both, projectId: own, token: login.body.token as string }, 'OPTED_IN');
    assert.equal((await get(everything)).status, 200);
    const studies = async (token: string): Promise<string[]> => {
      const { body } = await call(service, `/v1/patients/consents?patientId=${both.id}`, { token });
      assert.equal(body.total, body.results.length);
      return body.results.map(
        (result: { consentRecord: { studyId: string } }) => result.consentRecord.studyId,
      );
    };
    assert.deepEqual(await studies(limited), [own]);
    assert.deepEqual((await studies(admin)).sort(), [first, own].sort());
    const summary = (await get(`/v1/patients/${both.id}/consents`)).body;
    assert.deepEqual(
      summary.consents.map(({ studyId }: { studyId: string }) => studyId),
      [own],
    );
    const all = (await call(service, `/v1/patients/consents?patientId=${both.id}`, { token: admin })).body
      .results;
    const other = all.find(
      ({ consentRecord }: { consentRecord: { studyId: string } }) => consentRecord.studyId === first,
    );
    for (const view of ['', '/screenshots', '/receipt'])
      assert.equal((await get(`/v1/consents/${other.consentRecord.id}${view}`)).body.code, 'wrong_project');
    const projects = (await get(`/v1/organizations/${organizationId}/projects`)).body;
    assert.deepEqual([projects.total, projects.results[0].id], [1, own]);
  });

  it('sees the events, deliveries and endpoints of that project alone (case 244)', async () => {
    const { organizationId, projectId } = service.organization;
    const webhooks = await createWebhookApi(service);
    const create = async (projectScope: object): Promise<string> =>
      (await webhooks.createWebhook('https://hooks.example/events', { projectScope })).id;
    const [all, others] = [
      await create({ type: 'all' }),
      await create({ type: 'projects', projectIds: [projectId] }),
    ];
    await decide(service, inside, 'OPTED_OUT');
    await decide(service, outside, 'OPTED_OUT');
    const path = `/v1/organizations/${organizationId}`;
    const listed = (await get(`${path}/webhooks`)).body;
    assert.deepEqual([listed.total, listed.results.map(({ id }: { id: string }) => id)], [1, [all]]);
    for (const one of ['', '/deliveries'])
      assert.equal((await get(`${path}/webhooks/${others}${one}`)).status, 404);
    const events = (await get(`${path}/webhook-events`)).body.results as { id: string; projectId: string }[];
    assert.deepEqual([...new Set(events.map((event) => event.projectId))], [own]);
    const deliveries = (await get(`${path}/webhooks/${all}/deliveries`)).body.results as { id: string }[];
    const ids = new Set(events.map(({ id }) => id));
    assert.ok(deliveries.length > 0 && deliveries.every(({ id }) => ids.has(id)));
    const complete = await call(service, `${path}/webhooks/${all}/deliveries`, { token: admin });
    const hidden = complete.body.results.find(({ id }: { id: string }) => !ids.has(id));
    assert.equal((await get(`${path}/webhooks/${all}/deliveries/${hidden.id}`)).status, 404);
  });
});

describe('the keys of a developer', () => {
  it('are of their own role, which reads made-up people and nobody else', async () => {
    const developer = await signInAs(service, await newMember(service, 'developer'));
    const refused = await developer.post(keys, { name: 'All', role: 'researcher' });
    assert.deepEqual([refused.status, refused.body.code], [403, 'admin_required']);
    const created = await developer.post(keys, { name: 'Prototype', role: 'developer' });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const token = await getToken(created.body);
    const { organizationId, projectId } = service.organization;
    const patient = await newTestPatient(service);
    const send = (path: string, json?: unknown, method = json === undefined ? 'GET' : 'POST') =>
      call(service, path, { token, method, ...(json !== undefined && { json }) });
    const own = `/v1/organizations/${organizationId}`;
    for (const path of [
      `${own}/patients`,
      `${own}/consent-records`,
      `${own}/audit-events`,
      `/v1/patients/consents?patientId=${patient.id}`,
      `/FHIR/R4/Person/${patient.id}/$everything`,
    ])
      assert.equal((await send(path)).status, 403, path);
    const madeUp = (await send(`${own}/test-patients`, {})).body.patient.id as string;
    const member = `${own}/test-patients/${madeUp}/projects/${projectId}`;
    assert.equal((await send(member, {}, 'PUT')).status, 204);
    assert.equal((await send(`${member}/token`, {})).status, 200);
    const { body } = await call(service, `${own}/audit-events?actorKind=developer`, { token: admin });
    assert.deepEqual(
      [body.results[0].action, body.results[0].actor],
      ['test_patient.token_issued', { kind: 'developer', id: created.body.apiKey, name: 'Prototype' }],
    );
    assert.equal((await send(keys, { name: 'Mine', role: 'researcher' })).body.code, 'admin_required');
    assert.equal((await send(keys, { name: 'Mine', role: 'developer' })).status, 201);
  });

  it('get no secret of a key that may more, and end one that has leaked', async () => {
    const developer = await signInAs(service, await newMember(service, 'developer'));
    const { id, ...key } = await createKey();
    const token = await getToken(key);
    assert.equal((await developer.post(`${keys}/${id}/rotate`, {})).body.code, 'admin_required');
    assert.equal(await getStatus(token), 200);
    assert.equal((await developer.send('DELETE', `${keys}/${id}`)).status, 204);
    assert.equal(await getStatus(token), 401);
  });
});
