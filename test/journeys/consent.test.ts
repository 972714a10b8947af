import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hashPassword } from '../../server/platform/kernel/password.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  call,
  callTool,
  decide,
  newProject,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const REVOKED = { error: 'Data Access is revoked!' };

let service: TestService;
before(async () => void (service = await startTestService()));
after(() => service.stop());

const readAllergies = (patient: Pick<TestPatient, 'token'>): Promise<HttpResponse> =>
  callTool(service, patient, 'get_allergies');

async function renewToken(patient: TestPatient): Promise<TestPatient> {
  const { email, password, projectId } = patient;
  const { body } = await call(service, '/v1/auth/token', { json: { email, password, projectId } });
  return { ...patient, token: body.token };
}

const getTimeIn = (ms: number): string => new Date(service.clock.now().getTime() + ms).toISOString();

describe('a test patient’s consent', () => {
  it('opens the record: 201 with the id of the record under which later calls are permitted', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const before = await readAllergies(patient);
    assert.deepEqual([before.status, before.body], [403, REVOKED]);
    const { status, body } = await decide(service, patient, 'OPTED_IN');
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(body), ['consentRecordId']);
    assert.match(body.consentRecordId, UUID);
    assert.equal((await readAllergies(patient)).status, 200);
    const [row] = await service.store.db.query(
      sql<
        Record<string, unknown>
      >`select * from consent_record where consent_record_id = ${body.consentRecordId}`,
    );
    assert.equal(row?.['consent_type'], 'PATIENT_DIRECTED_DATA_EXCHANGE');
    assert.equal(row['consent_status'], 'OPTED_IN');
    assert.equal(row['consent_ui_flow'], 'API');
    assert.equal(row['organization_id'], service.organization.organizationId);
    const [decided, expires] = [row['decided_at'] as Date, row['expires_at'] as Date];
    assert.equal(expires.getTime() - decided.getTime(), 365 * DAY);
  });

  it('is withdrawn by OPTED_OUT: the very next tools/call is refused, and a new OPTED_IN opens it again', async () => {
    const patient = await newTestPatient(service);
    assert.equal((await readAllergies(patient)).status, 200);
    assert.equal((await decide(service, patient, 'OPTED_OUT')).status, 201);
    const refused = await readAllergies(patient);
    assert.deepEqual([refused.status, refused.body], [403, REVOKED]);
    assert.equal(refused.headers.has('www-authenticate'), false);
    await decide(service, patient, 'OPTED_IN');
    assert.equal((await readAllergies(patient)).status, 200);
  });

  it('leaves one immutable record per decision', async () => {
    const patient = await newTestPatient(service);
    await decide(service, patient, 'OPTED_OUT');
    await decide(service, patient, 'OPTED_IN');
    const rows = await service.store.db.query(sql<{ consent_status: string }>`
      select consent_status from consent_record where patient_id = ${patient.id} order by decided_at, consent_record_id`);
    assert.deepEqual(
      rows.map(({ consent_status }) => consent_status),
      ['OPTED_IN', 'OPTED_OUT', 'OPTED_IN'],
    );
  });

  it('ends by time alone at its expirationTimestamp', async () => {
    const patient = await newTestPatient(service, { consent: false });
    await decide(service, patient, 'OPTED_IN', { expirationTimestamp: getTimeIn(HOUR / 2) });
    assert.equal((await readAllergies(patient)).status, 200);
    service.clock.advance(HOUR / 2 + 1000);
    const refused = await readAllergies(patient);
    assert.deepEqual([refused.status, refused.body], [403, REVOKED]);
  });

  it('ends after a year when no end was named', async () => {
    const patient = await newTestPatient(service);
    service.clock.advance(364 * DAY);
    assert.equal((await readAllergies(await renewToken(patient))).status, 200);
    service.clock.advance(DAY + 1000);
    assert.equal((await readAllergies(await renewToken(patient))).status, 403);
  });

  it('takes an end in any zone, and refuses one that is past, more than a year ahead, or no time', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const refuses = async (expirationTimestamp: string): Promise<void> => {
      const { status, body } = await decide(service, patient, 'OPTED_IN', { expirationTimestamp });
      assert.deepEqual([status, body.errors?.[0]?.path], [400, 'expirationTimestamp'], expirationTimestamp);
    };
    await refuses(getTimeIn(366 * DAY));
    await refuses(getTimeIn(0));
    await refuses(getTimeIn(-HOUR));
    await refuses('tomorrow');
    await refuses('2026-02-30T00:00:00Z');
    const zoned = getTimeIn(8 * HOUR).replace('Z', '+02:00');
    assert.equal((await decide(service, patient, 'OPTED_IN', { expirationTimestamp: zoned })).status, 201);
    // A withdrawal is never refused for an end, which means nothing for it: it ends when it is made.
    const past = { expirationTimestamp: getTimeIn(-HOUR) };
    const { status, body } = await decide(service, patient, 'OPTED_OUT', past);
    assert.equal(status, 201);
    const token = await getOrganizationToken(service);
    const record = (await call(service, `/v1/consents/${body.consentRecordId}`, { token })).body;
    assert.equal(record.expirationTimestamp, record.timestamp);
    const summary = (await call(service, `/v1/patients/${patient.id}/consents`, { token })).body;
    assert.deepEqual(
      summary.consents.map((each: { hasPatientConsented: boolean; expirationTimestamp: string }) => [
        each.hasPatientConsented,
        each.expirationTimestamp,
      ]),
      [[false, record.timestamp]],
    );
  });

  it('of another type does not open the record', async () => {
    const patient = await newTestPatient(service, { consent: false });
    for (const consentType of ['DATA_AUTHORIZATION', 'FUTURE_DATA_USE']) {
      assert.equal((await decide(service, patient, 'OPTED_IN', { consentType })).status, 201);
    }
    assert.equal((await readAllergies(patient)).status, 403);
    await decide(service, patient, 'OPTED_IN');
    await decide(service, patient, 'OPTED_OUT', { consentType: 'DATA_AUTHORIZATION' });
    assert.equal((await readAllergies(patient)).status, 200);
  });

  it('to one project is none to another', async () => {
    const projectId = await newProject(service);
    const patient = await newTestPatient(service);
    const { email } = patient;
    const admin = await getOrganizationToken(service);
    await call(service, `/v1/projects/${projectId}/patients`, {
      token: admin,
      json: { patients: [{ email, firstName: 'A', lastName: 'B' }], suppressNotifications: true },
    });
    const elsewhere = await renewToken({ ...patient, projectId });
    assert.deepEqual((await readAllergies(elsewhere)).body, REVOKED);
    assert.equal((await readAllergies(patient)).status, 200);
  });

  it('is refused with 403 for a project that is not the token’s and for another patient', async () => {
    const [patient, other] = [await newTestPatient(service), await newTestPatient(service)];
    const project = await decide(service, { ...patient, projectId: await newProject(service) }, 'OPTED_IN');
    assert.deepEqual([project.status, project.body.code], [403, 'wrong_project']);
    const person = await decide(service, { ...patient, id: other.id }, 'OPTED_IN');
    assert.deepEqual([person.status, person.body.code], [403, 'wrong_patient']);
  });

  it('is refused with 403 once the patient is no longer enrolled, as are their calls', async () => {
    const patient = await newTestPatient(service);
    await service.store.db.query(sql`delete from enrollment where patient_id = ${patient.id}`);
    assert.equal((await decide(service, patient, 'OPTED_IN')).status, 403);
    const answer = await readAllergies(patient);
    assert.deepEqual([answer.status, answer.body], [403, { error: 'Invalid Project' }]);
  });

  it('is not given by API for a real person, even one who has a password', async () => {
    const person = await createRealPatient('person@example.org');
    for (const status of ['OPTED_IN', 'OPTED_OUT'])
      assert.equal((await decide(service, person, status)).status, 403);
    assert.equal((await readAllergies(person)).status, 403);
  });

  for (const [name, json] of [
    ['no status', {}],
    ['an unknown status', { consentStatus: 'MAYBE' }],
    ['an unknown type', { consentStatus: 'OPTED_IN', consentType: 'EVERYTHING' }],
  ] as const) {
    it(`is refused with 400 for ${name}`, async () => {
      const { id, projectId, token } = await newTestPatient(service, { consent: false });
      assert.equal(
        (await call(service, `/v1/projects/${projectId}/test-patients/${id}/consent`, { token, json }))
          .status,
        400,
      );
    });
  }

  it('leaves the last decision in force when many come at once', async () => {
    const patient = await newTestPatient(service);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        decide(service, patient, index % 2 ? 'OPTED_IN' : 'OPTED_OUT'),
      ),
    );
    assert.ok(answers.every(({ status }) => status === 201));
    await decide(service, patient, 'OPTED_OUT');
    assert.equal((await readAllergies(patient)).status, 403);
  });

  it('leaves an audit entry with its record', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const { body } = await decide(service, patient, 'OPTED_IN');
    const rows = await service.store.db.query(sql<{
      action: string;
      actor_id: string;
      outcome: string;
      status: string;
    }>`
      select action, actor_id, outcome, detail->>'consentStatus' as status from audit_entry where consent_record_id = ${body.consentRecordId}`);
    assert.deepEqual(rows, [
      { action: 'consent.recorded', actor_id: patient.id, outcome: 'success', status: 'OPTED_IN' },
    ]);
  });
});

/** Someone who was enrolled by a researcher and has chosen a password since. */
async function createRealPatient(email: string): Promise<TestPatient> {
  const { projectId } = service.organization;
  const token = await getOrganizationToken(service, 'researcher');
  const { body } = await call(service, `/v1/projects/${projectId}/patients`, {
    token,
    json: { patients: [{ email, firstName: 'Real', lastName: 'Person' }], suppressNotifications: true },
  });
  const id = body.successfulPatients[0].referenceId as string;
  await service.store.db.query(sql`
    insert into patient_password (patient_id, password_hash, changed_at) values (${id}, ${await hashPassword('secret')}, now())`);
  return renewToken({ id, email, password: 'secret', projectId, token: '' });
}
