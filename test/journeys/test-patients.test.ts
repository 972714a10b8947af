import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PATIENT_TABLES } from '../../server/identity/patients/delete-patient.sql.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  call,
  callTool,
  newOrganization,
  newTestPatient,
  getOrganizationToken,
  generateRecordArchive,
  startTestService,
  upload,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let admin: string;
let patients: string;
before(async () => {
  service = await startTestService();
  admin = await getOrganizationToken(service);
  patients = `/v1/organizations/${service.organization.organizationId}/test-patients`;
});
after(() => service.stop());

const create = (request: { json?: unknown; headers?: Record<string, string> } = {}): Promise<HttpResponse> =>
  call(service, patients, { method: 'POST', token: admin, ...request });

describe('creating a test patient', () => {
  it('needs no body and answers 201 with the patient and the password', async () => {
    const { status, body } = await create();
    assert.equal(status, 201);
    const { id, email, firstName, lastName, isTestPatient } = body.patient;
    assert.deepEqual(body, {
      patient: { id, email, firstName, lastName, isTestPatient },
      password: body.password,
    });
    assert.match(id, UUID);
    assert.match(email, /^[^@\s]+@[^@\s]+\.invalid$/);
    assert.ok(firstName.length > 0 && lastName.length > 0);
    assert.equal(isTestPatient, true);
    assert.ok(body.password.length >= 16);
  });

  it('takes an empty body that claims to be JSON, and an empty object', async () => {
    assert.equal((await create({ headers: { 'content-type': 'application/json' } })).status, 201);
    assert.equal((await create({ json: {} })).status, 201);
  });

  it('keeps the names and the date of birth it is given', async () => {
    const { body } = await create({
      json: { firstName: ' Zoë ', lastName: '陈', dateOfBirth: '1980-02-29' },
    });
    assert.equal(body.patient.firstName, 'Zoë');
    const { body: found } = await call(service, `${patients}/${body.patient.id}`, { token: admin });
    assert.deepEqual(
      { ...found, createdAt: null },
      { ...body.patient, dateOfBirth: '1980-02-29', createdAt: null, projectIds: [] },
    );
  });

  for (const dateOfBirth of ['1981-02-29', '29.02.1980', '1980-2-1', 19800229, '9999-12-31']) {
    it(`refuses the date of birth ${dateOfBirth}`, async () => {
      const { status, body } = await create({ json: { dateOfBirth } });
      assert.equal(status, 400);
      assert.deepEqual(
        body.errors.map((error: { path: string }) => error.path),
        ['dateOfBirth'],
      );
    });
  }
});

describe('the list of test patients', () => {
  it('holds those of the organization, newest first, a page at a time', async () => {
    const organization = await newOrganization(service);
    const token = await getOrganizationToken(service, 'admin', organization);
    const url = `/v1/organizations/${organization.organizationId}/test-patients`;
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) {
      const { body } = await call(service, url, { method: 'POST', token });
      ids.unshift(body.patient.id);
    }
    const page = async (query: string): Promise<string[]> => {
      const { body } = await call(service, url + query, { token });
      assert.equal(body.total, 5);
      return body.results.map(({ id }: { id: string }) => id);
    };
    assert.deepEqual(await page(''), ids);
    assert.deepEqual(await page('?limit=2'), ids.slice(0, 2));
    assert.deepEqual(await page('?limit=2&offset=4'), ids.slice(4));
    assert.deepEqual(await page('?offset=9'), []);
  });

  it('repeats none by its `next`, whoever is created meanwhile', async () => {
    const page = async (query: string): Promise<{ ids: string[]; next: string | null }> => {
      const { status, body } = await call(service, `${patients}?limit=2${query}`, { token: admin });
      assert.equal(status, 200);
      return { ids: (body.results as { id: string }[]).map(({ id }) => id), next: body.next };
    };
    const { body } = await call(service, patients, { token: admin });
    const all = (body.results as { id: string }[]).map(({ id }) => id);
    assert.equal(body.next, null);
    const seen: string[] = [];
    for (let after: string | null = ''; after !== null;) {
      const { ids, next } = await page(after === '' ? '' : `&after=${after}`);
      seen.push(...ids);
      service.clock.advance(1);
      await create();
      after = next;
    }
    assert.deepEqual(seen, all);
    const unknown = await call(service, `${patients}?after=${UNKNOWN}`, { token: admin });
    assert.deepEqual([unknown.status, unknown.body.errors[0].path], [400, 'after']);
  });

  it('says of a parameter that is repeated that it may be given once, beside all other faults', async () => {
    const { status, body } = await call(service, `${patients}?limit=1&limit=2&offset=-1`, { token: admin });
    assert.equal(status, 400);
    assert.deepEqual(body.errors[0], { path: 'limit', message: 'may be given once' });
    assert.equal(body.errors[1].path, 'offset');
  });

  for (const query of ['limit=0', 'limit=1001', 'limit=many', 'offset=-1', 'offset=1.5']) {
    it(`refuses ${query}`, async () =>
      assert.equal((await call(service, `${patients}?${query}`, { token: admin })).status, 400));
  }
});

describe('one test patient', () => {
  const requests = [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/password'],
  ] as const;

  for (const [method, suffix] of requests) {
    it(`is 404 when unknown, when of a foreign organization and when a real person, and 400 when no UUID: ${method} ${suffix}`, async () => {
      const foreigner = await newTestPatient(service, { organization: await newOrganization(service) });
      const person = await call(service, `/v1/projects/${service.organization.projectId}/patients`, {
        token: admin,
        json: {
          patients: [{ email: `real-${method}@example.org`, firstName: 'Real', lastName: 'Person' }],
          suppressNotifications: true,
        },
      });
      const ids = [UNKNOWN, foreigner.id, person.body.successfulPatients[0].referenceId as string];
      for (const id of ids) {
        const { status, body } = await call(service, `${patients}/${id}${suffix}`, { method, token: admin });
        assert.deepEqual([status, body.code], [404, 'not_found']);
      }
      assert.equal(
        (await call(service, `${patients}/no-uuid${suffix}`, { method, token: admin })).status,
        400,
      );
    });
  }

  it('gets a new password, and the old one ends at once', async () => {
    const { id, email, password, projectId } = await newTestPatient(service);
    const { status, body } = await call(service, `${patients}/${id}/password`, {
      method: 'POST',
      token: admin,
    });
    assert.equal(status, 200);
    const login = (word: string): Promise<HttpResponse> =>
      call(service, '/v1/auth/token', { json: { email, password: word, projectId } });
    assert.equal((await login(password)).status, 401);
    assert.equal((await login(body.password)).status, 200);
  });

  it('is found under an id written in capitals', async () => {
    const { id } = await newTestPatient(service);
    assert.equal((await call(service, `${patients}/${id.toUpperCase()}`, { token: admin })).body.id, id);
  });
});

describe('deleting a test patient', () => {
  it('removes everything of theirs from every table, and their token then finds no patient', async () => {
    const patient = await newTestPatient(service);
    await upload(service, patient, await generateRecordArchive({ years: 1 }));
    const filled = await listTablesWith(patient.id);
    assert.ok(filled.includes('clinical_entry') && filled.includes('passage_use'), filled.join());

    const gone = await call(service, `${patients}/${patient.id}`, { method: 'DELETE', token: admin });
    assert.deepEqual([gone.status, gone.body], [204, '']);
    assert.deepEqual(await listTablesWith(patient.id), []);
    const answer = await callTool(service, patient, 'get_health_summary');
    assert.deepEqual(
      [answer.status, answer.body.error],
      [200, { code: -32000, message: 'Patient context not found' }],
    );
    assert.equal(
      (await call(service, `${patients}/${patient.id}`, { method: 'DELETE', token: admin })).status,
      404,
    );
  });

  it('knows every table that holds something of a patient', async () => {
    assert.deepEqual((await listPatientTables()).sort(), [...PATIENT_TABLES].sort());
  });

  it('frees the e-mail address', async () => {
    const { id, email } = await newTestPatient(service);
    await call(service, `${patients}/${id}`, { method: 'DELETE', token: admin });
    const { body } = await call(service, `/v1/projects/${service.organization.projectId}/patients`, {
      token: admin,
      json: { patients: [{ email, firstName: 'A', lastName: 'B' }], suppressNotifications: true },
    });
    assert.equal(body.successCount, 1);
    assert.notEqual(body.successfulPatients[0].referenceId, id);
  });
});

/** Tables with a patient_id; the audit log keeps its entries, and the outbox what was emitted to partners. */
async function listPatientTables(): Promise<string[]> {
  const rows = await service.store.db.query(sql<{ table_name: string }>`
    select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'patient_id'
      and table_name not in ('audit_entry', 'webhook_event')
      -- What a partition has is its table's.
      and quote_ident(table_name)::regclass not in (select inhrelid from pg_inherits)`);
  return rows.map(({ table_name }) => table_name);
}

async function listTablesWith(patientId: string): Promise<string[]> {
  const filled: string[] = [];
  for (const table of await listPatientTables()) {
    const rows = await service.store.db.query({
      text: `select 1 from ${table} where patient_id = $1 limit 1`,
      values: [patientId],
    });
    if (rows.length > 0) filled.push(table);
  }
  return filled;
}
