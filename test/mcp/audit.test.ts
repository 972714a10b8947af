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
  it('leaves an entry of who, by which program, with which tool, of what, how much, and under which consent', async () => {
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

  it('leaves nothing of the record, of the question or of the answer', async () => {
    const patient = await newTestPatient(service);
    await upload(service, patient, await createArchive({ 'a.json': allergy('1', 'Peanut') }));
    await callTool(service, patient, 'search', { query: 'secret question about Peanut' });
    const [entry] = await listEntries(patient);
    assert.doesNotMatch(JSON.stringify(entry), /secret|peanut/i);
  });

  it('that is refused leaves an entry too, with the reason', async () => {
    const patient = await newTestPatient(service, { consent: false });
    await callTool(service, patient, 'get_labs');
    const [entry] = await listEntries(patient);
    assert.deepEqual(
      [entry?.outcome, entry?.consent, JSON.parse(entry?.detail ?? '')],
      ['refused', null, { tool: 'get_labs', reason: 'access_revoked' }],
    );
  });

  it('is not answered when its entry cannot be kept', async (t) => {
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

  it('among many at once is in the log when it is answered, each one', async () => {
    const patient = await newTestPatient(service);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => callTool(service, patient, 'get_labs')),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal((await listEntries(patient)).length, 40);
  });
});

describe('the audit log', () => {
  it('keeps entries that come while one is being written in one commit', async (t) => {
    const { db } = service.store;
    const spy = t.mock.method(db, 'query');
    const audit = createAuditLog({ db, clock: service.clock });
    const { organizationId } = service.organization;
    await Promise.all(
      Array.from({ length: 100 }, () =>
        audit.append({ organizationId, action: 'test.shared', actor: { kind: 'system', id: 'test' } }),
      ),
    );
    assert.ok(spy.mock.callCount() <= 2, `${spy.mock.callCount()} commits`);
    const [row] = await db.query(
      sql<{ count: number }>`select count(*) as count from audit_entry where action = 'test.shared'`,
    );
    assert.equal(Number(row?.count), 100);
  });
});
