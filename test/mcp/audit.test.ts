import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import { sql, type Sql } from '../../server/platform/db/sql.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import {
  callTool,
  decide,
  newTestPatient,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
before(
  async () =>
    void (service = await startTestService({
      environment: { CHARTGATE_MCP_RATE_LIMIT: '10000', CHARTGATE_LOG_LEVEL: 'silent' },
    })),
);
after(() => service.stop());

interface AuditRow {
  action: string;
  outcome: string;
  actor: string;
  client: string;
  organization: string;
  project: string;
  consent: string | null;
  detail: string;
}

const listEntries = ({ id }: TestPatient): Promise<AuditRow[]> =>
  service.store.db.query(sql<AuditRow>`
    select action, outcome, actor_kind || ' ' || actor_id as actor, client, organization_id as organization, project_id as project,
      consent_record_id as consent, detail::text as detail
    from audit_entry where patient_id = ${id} and action = 'mcp.tools_call' order by entry_id`);

const allergy = (id: string, name: string): object => ({
  resourceType: 'AllergyIntolerance',
  id,
  recordedDate: '2026-01-05',
  clinicalStatus: { coding: [{ code: 'active' }] },
  code: { text: name },
});

describe('a tools/call', () => {
  it('writes an audit entry with actor, client, tool, categories, number of entries and consent', async () => {
    const patient = await newTestPatient(service, { consent: false });
    const { body } = await decide(service, patient, 'OPTED_IN');
    await upload(
      service,
      patient,
      await createArchive({ 'a.json': createBundle(allergy('1', 'Peanut'), allergy('2', 'Latex')) }),
    );
    const answer = await callTool(service, patient, 'get_allergies', { years: 2, beforeDate: '2026-06-01' });
    assert.equal(answer.status, 200);
    const [entry] = await listEntries(patient);
    assert.deepEqual(
      { ...entry, detail: JSON.parse(entry?.detail ?? '') },
      {
        action: 'mcp.tools_call',
        outcome: 'success',
        actor: `patient ${patient.id}`,
        client: 'direct',
        organization: service.organization.organizationId,
        project: patient.projectId,
        consent: body.consentRecordId,
        detail: {
          tool: 'get_allergies',
          categories: ['ALLERGIES'],
          from: '2026-01-05',
          until: '2026-01-05',
          entries: 2,
        },
      },
    );
  });

  it('writes nothing of the record, the arguments or the answer to the audit log', async () => {
    const patient = await newTestPatient(service);
    await upload(service, patient, await createArchive({ 'a.json': allergy('1', 'Peanut') }));
    await callTool(service, patient, 'search', { query: 'secret question about Peanut' });
    const [entry] = await listEntries(patient);
    assert.doesNotMatch(JSON.stringify(entry), /secret|peanut/i);
  });

  it('writes an audit entry with the reason when it is refused', async () => {
    const patient = await newTestPatient(service, { consent: false });
    await callTool(service, patient, 'get_labs');
    const [entry] = await listEntries(patient);
    assert.deepEqual(
      [entry?.outcome, entry?.consent, JSON.parse(entry?.detail ?? '')],
      ['refused', null, { tool: 'get_labs', reason: 'access_revoked' }],
    );
  });

  it('is not answered when its audit entry cannot be stored', async (t) => {
    const patient = await newTestPatient(service);
    const { db } = service.store;
    const query = db.query.bind(db);
    t.mock.method(db, 'query', (statement: Sql<never>) =>
      statement.text.includes('insert into audit_entry')
        ? Promise.reject(new Error('disk full'))
        : query(statement),
    );
    const { status, body } = await callTool(service, patient, 'get_labs');
    assert.deepEqual([status, body.error.code, 'result' in body], [200, -32603, false]);
  });

  it('has its audit entry stored when it is answered, also among many at once', async () => {
    const patient = await newTestPatient(service);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => callTool(service, patient, 'get_labs')),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal((await listEntries(patient)).length, 40);
  });
});

describe('the audit log', () => {
  it('groups entries that arrive during a commit into the next one', async (t) => {
    const { db } = service.store;
    const spy = t.mock.method(db, 'query');
    const audit = createAuditLog({ db, clock: service.clock });
    const { organizationId } = service.organization;
    await Promise.all(
      Array.from({ length: 100 }, () =>
        audit.append({ organizationId, action: 'webhook.tested', actor: { kind: 'system', id: 'test' } }),
      ),
    );
    assert.ok(spy.mock.callCount() <= 2, `${spy.mock.callCount()} commits`);
    const [row] = await db.query(
      sql<{ count: number }>`select count(*) as count from audit_entry where action = 'webhook.tested'`,
    );
    assert.equal(Number(row?.count), 100);
  });
});
