import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AccessLogEntry } from '../../contract/account/access-log.ts';
import type { PatientId } from '../../contract/brands.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import { importVerifyingKeys } from '../../server/platform/keys/verifying-keys.ts';
import { sealAll } from '../../server/platform/audit/seal.ts';
import { verifySlice, type SliceVerification } from '../../server/platform/audit/verify-slice.ts';
import { listAllSigningKeys, createSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import type { CreatedOrganization } from '../../server/identity/members/create-organization.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive } from '../harness/archive.ts';
import { callMcp, newFlow, createSignedInBrowser, obtainTokens } from '../harness/authorization.ts';
import {
  call,
  callTool,
  newOrganization,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { createTestBrowser } from '../harness/test-browser.ts';

let service: TestService;
let foreign: CreatedOrganization;
before(async () => {
  service = await startTestService();
  foreign = await newOrganization(service);
});
after(() => service.stop());

const getAccessLog = async (patient: Pick<TestPatient, 'id'>, token: string, query = '') =>
  call(service, `/v1/patients/${patient.id}/access-log${query}`, { token });

const listActions = (entries: AccessLogEntry[]): string[] => entries.map(({ action }) => action);

/** What another organization did with the patient. */
const enrollElsewhere = (patient: TestPatient, organization = foreign): Promise<string> =>
  createAuditLog({ db: service.store.db, clock: service.clock }).append({
    organizationId: organization.organizationId,
    action: 'mcp.tools_call',
    actor: { kind: 'patient', id: patient.id },
    projectId: organization.projectId,
    patientId: patient.id as PatientId,
  });

describe('the access log of a patient', () => {
  it('shows the patient what was done, newest first, in all organizations: who, when, by which client, under which consent', async () => {
    const patient = await newTestPatient(service);
    const allergy = {
      resourceType: 'AllergyIntolerance',
      id: '1',
      recordedDate: '2026-01-05',
      code: { text: 'Latex' },
    };
    await upload(service, patient, await createArchive({ 'a.json': allergy }));
    await callTool(service, patient, 'get_allergies');
    await enrollElsewhere(patient);
    const { status, body } = await getAccessLog(patient, patient.token);
    assert.equal(status, 200);
    assert.equal(body.keptMonths, null, 'nothing is dropped unless an operator says so');
    assert.deepEqual(listActions(body.results as AccessLogEntry[]), [
      'mcp.tools_call',
      'mcp.tools_call',
      'consent.recorded',
      'patient.enrolled',
      'test_patient.created',
    ]);
    const [there, here, consent] = body.results as AccessLogEntry[];
    assert.equal(there?.organization.id, foreign.organizationId);
    const { id, at, ...rest } = here as AccessLogEntry;
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.ok(Math.abs(Date.parse(at) - service.clock.now().getTime()) < 60_000);
    assert.deepEqual(rest, {
      action: 'mcp.tools_call',
      outcome: 'success',
      actor: { kind: 'patient', id: patient.id },
      client: { id: 'direct', name: null, appId: null },
      organization: { id: service.organization.organizationId, name: here?.organization.name },
      project: { id: patient.projectId, name: 'Study' },
      consentRecordId: consent?.consentRecordId,
      tool: 'get_allergies',
      categories: ['ALLERGIES'],
      notShared: [],
      types: [],
      entries: 1,
      whole: false,
      counted: false,
      from: '2026-01-05',
      until: '2026-01-05',
      reason: null,
    });
    assert.match(here?.organization.name ?? '', /^Clinic/);
  });

  it('distinguishes a read from an answer with counts alone', async () => {
    const patient = await newTestPatient(service);
    const token = await getOrganizationToken(service);
    await callTool(service, patient, 'get_other_records');
    await callTool(service, patient, 'get_other_records', { kind: 'survey' });
    for (const query of ['?_count=0', '?_count=1'])
      await call(service, `/FHIR/R4/Person/${patient.id}/$everything${query}`, { token });
    const { body } = await getAccessLog(patient, patient.token);
    assert.deepEqual(
      (body.results as AccessLogEntry[]).slice(0, 4).map(({ entries, counted }) => [entries, counted]),
      [
        [1, false],
        [0, true],
        [0, false],
        [0, true],
      ],
    );
  });

  it('shows a refused read, and why', async () => {
    const patient = await newTestPatient(service, { consent: false });
    await callTool(service, patient, 'get_labs');
    const { body } = await getAccessLog(patient, patient.token);
    assert.deepEqual([body.results[0].outcome, body.results[0].reason], ['refused', 'access_revoked']);
  });

  it('names a client as it calls itself', async () => {
    const flow = await newFlow(service, { client_name: 'Reading agent' });
    const { access_token: token } = await obtainTokens(service, flow);
    await callMcp(service, token as string, 'tools/call');
    const { body } = await getAccessLog(flow.patient, flow.patient.token);
    const admin = await getOrganizationToken(service);
    const apps = `/v1/organizations/${service.organization.organizationId}/clients?q=reading`;
    assert.deepEqual(body.results[0].client, {
      id: flow.client.client_id,
      name: 'Reading agent',
      appId: (await call(service, apps, { token: admin })).body.results[0].id,
    });
  });

  it('comes in pages that join without a gap or a repetition', async () => {
    const patient = await newTestPatient(service);
    for (let more = 0; more < 4; more++) await enrollElsewhere(patient);
    const { body: whole } = await getAccessLog(patient, patient.token);
    assert.equal(whole.next, null);
    const joined: AccessLogEntry[] = [];
    for (let before = ''; ;) {
      const { body } = await getAccessLog(patient, patient.token, `?limit=3${before}`);
      assert.ok(body.results.length <= 3);
      joined.push(...(body.results as AccessLogEntry[]));
      if (body.next === null) break;
      before = `&before=${body.next}`;
    }
    assert.deepEqual(joined, whole.results);
    for (const query of ['?limit=0', '?limit=1001', '?before=x'])
      assert.equal((await getAccessLog(patient, patient.token, query)).status, 400, query);
  });

  it('shows an admin what concerns their organization alone, and records that they looked', async () => {
    const patient = await newTestPatient(service);
    await enrollElsewhere(patient);
    const admin = await getOrganizationToken(service);
    const { body } = await getAccessLog(patient, admin);
    const organizations = (body.results as AccessLogEntry[]).map(({ organization }) => organization.id);
    assert.deepEqual([...new Set(organizations)], [service.organization.organizationId]);
    assert.equal(organizations.length, 3);
    const { body: own } = await getAccessLog(patient, patient.token);
    assert.deepEqual(
      [own.results[0].action, own.results[0].actor],
      ['access_log.viewed', { kind: 'admin', id: service.organization.admin.apiKey }],
    );
  });

  it("records that somebody looked at one patient's reads in the organization's list, where there were any", async () => {
    const patient = await newTestPatient(service);
    const token = await getOrganizationToken(service);
    const listReads = (query: string) =>
      call(service, `/v1/organizations/${service.organization.organizationId}/access-log${query}`, { token });
    const listLooks = async () =>
      (await getAccessLog(patient, patient.token)).body.results.filter(
        ({ action }: AccessLogEntry) => action === 'access_log.viewed',
      );
    assert.deepEqual((await listReads(`?patientId=${patient.id}`)).body.results, []);
    await callTool(service, patient, 'get_allergies');
    assert.equal((await listReads('')).body.results[0].patientId, patient.id);
    assert.deepEqual(await listLooks(), []);
    assert.equal((await listReads(`?patientId=${patient.id}`)).body.results.length, 1);
    assert.equal((await listLooks()).length, 1);
  });

  it("narrows the organization's reads and its use to one app, under whichever registrations it came", async () => {
    const token = await getOrganizationToken(service);
    const path = `/v1/organizations/${service.organization.organizationId}`;
    const client_name = 'Counted app';
    const flows = [
      await newFlow(service, { client_name }),
      await newFlow(service, { client_name }),
      await newFlow(service, { client_name: 'Other app' }),
    ];
    for (const flow of flows)
      await callMcp(service, (await obtainTokens(service, flow)).access_token as string, 'tools/call');
    const { body: apps } = await call(service, `${path}/clients?q=counted`, { token });
    const { id } = apps.results[0];
    const clientIds = flows.map(({ client }) => client.client_id as string);
    const listReaders = async (query: string) => {
      const { body: reads } = await call(service, `${path}/access-log?${query}`, { token });
      return (reads.results as AccessLogEntry[]).map(({ client }) => client?.id);
    };
    assert.deepEqual(await listReaders(`appId=${id}`), [clientIds[1], clientIds[0]]);
    assert.deepEqual(await listReaders(`client=${id}`), [clientIds[1], clientIds[0]]);
    assert.deepEqual(await listReaders(`client=${clientIds[0]}`), [clientIds[0]]);
    // As the node that counted adds them within ten seconds.
    await service.store.db.query(sql`
      insert into usage_hour (organization_id, hour, kind, name, project_id, client, outcome, count, duration_ms_sum, duration_buckets)
      select ${service.organization.organizationId}, '2026-03-08T05:00Z', 'tool_call', 'get_labs', ${service.organization.projectId},
        client, 'success', 5, 0, array_fill(0, array[12])
      from unnest(${clientIds}::text[]) as client`);
    const range = 'from=2026-03-08T00:00:00Z&to=2026-03-09T00:00:00Z';
    const count = async (query: string, as = token) => {
      const { body } = await call(service, `${path}/usage?${range}${query}`, { token: as });
      return (body.results as { count: number }[]).map((row) => row.count);
    };
    assert.deepEqual(await count(''), [15]);
    assert.deepEqual(await count(`&appId=${id}`), [10]);
    assert.deepEqual(await count(`&client=${id}`), [10]);
    assert.deepEqual(await count(`&appId=${id}&client=${clientIds[2]}`), []);
    assert.deepEqual(await count(`&appId=${service.organization.projectId}`), [], 'no such app');
  });

  it('is nothing for the admin of an organization that the patient never took part in, nor for other patients', async () => {
    const patient = await newTestPatient(service);
    const stranger = await getOrganizationToken(service, 'admin', foreign);
    const other = await newTestPatient(service);
    assert.equal((await getAccessLog(patient, stranger)).status, 403);
    assert.equal((await getAccessLog(patient, other.token)).status, 403);
    assert.equal(
      (await getAccessLog(patient, await getOrganizationToken(service, 'researcher'))).status,
      403,
    );
    const nobody = '00000000-0000-4000-8000-000000000000';
    assert.equal((await getAccessLog({ id: nobody }, stranger)).status, 403);
  });

  it('is the same on the own page, and is shown to nobody who is not signed in', async () => {
    const patient = await newTestPatient(service);
    const browser = await createSignedInBrowser(service, patient);
    const { body } = await browser.get('/account/access-log?limit=2');
    assert.deepEqual(body, (await getAccessLog(patient, patient.token, '?limit=2')).body);
    for (const path of ['/account/access-log', '/account/access-log/proof'])
      assert.equal((await createTestBrowser(service).get(path)).status, 401, path);
  });
});

describe("an organization's audit events", () => {
  it('come newest first, in pages, by action, with their details and the block that seals them', async () => {
    const organization = await newOrganization(service);
    const token = await getOrganizationToken(service, 'admin', organization);
    const patient = await newTestPatient(service, { organization });
    const { db } = service.store;
    const keys = createSigningKeys({ db, clock: service.clock });
    await sealAll({ db, clock: service.clock, keys, baseUrl: service.baseUrl });
    await enrollElsewhere(patient, organization);
    const events = (query = '') =>
      call(service, `/v1/organizations/${organization.organizationId}/audit-events${query}`, { token });
    const { body } = await events();
    assert.deepEqual(listActions(body.results as AccessLogEntry[]), [
      'mcp.tools_call',
      'consent.recorded',
      'patient.enrolled',
      'patients.enrolled',
      'test_patient.created',
    ]);
    const blocks = (body.results as { block: number | null }[]).map(({ block }) => block);
    assert.deepEqual(blocks, [null, 1, 1, 1, 1]);
    assert.equal(body.results[1].patientId, patient.id);
    assert.equal(body.results[1].detail.consentStatus, 'OPTED_IN');
    const firstPage = (await events('?limit=2')).body;
    const secondPage = (await events(`?limit=3&before=${firstPage.next}`)).body;
    assert.deepEqual([...firstPage.results, ...secondPage.results], body.results);
    assert.equal(secondPage.next, null);
    const { body: enrolled } = await events('?action=patients.enrolled');
    assert.deepEqual(enrolled.results, [body.results[3]]);
  });
});

describe("a patient's slice of the audit log", () => {
  const check = async (slice: string): Promise<SliceVerification> => {
    async function* lines() {
      yield* slice.trimEnd().split('\n');
    }
    return verifySlice(lines(), await importVerifyingKeys(await listAllSigningKeys(service.store.db)));
  };

  let patient: TestPatient;
  let lines: string[];
  before(async () => {
    patient = await newTestPatient(service);
    // More than the export reads at a time, among entries of others, in two organizations.
    for (let more = 0; more < 30; more++) {
      await enrollElsewhere(patient);
      await enrollElsewhere(patient, service.organization);
      await enrollElsewhere({ ...patient, id: foreign.projectId });
    }
    const browser = await createSignedInBrowser(service, patient);
    const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${service.baseUrl}/account/access-log/proof`, { headers: { cookie } });
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/x-ndjson']);
    lines = (await answer.text()).trimEnd().split('\n');
  });

  it('proves each entry about them, and holds none about anybody else', async () => {
    const { fault, proven, unsealed, organizations, patientId, issuer } = await check(lines.join('\n'));
    assert.deepEqual(
      { fault, proven, unsealed, organizations, patientId, issuer },
      {
        fault: null,
        proven: 63,
        unsealed: 0,
        organizations: 2,
        patientId: patient.id,
        issuer: service.baseUrl,
      },
    );
    const [row] = await service.store.db.query(
      sql<{ count: number }>`select count(*) as count from audit_entry where patient_id = ${patient.id}`,
    );
    assert.equal(row?.count, 63);
  });

  it('is found out with the line when any value of any kind of line is changed', async () => {
    for (const kind of ['checkpoint', 'entry', 'end']) {
      const index = lines.findIndex((line) => line.startsWith(`{"kind":"${kind}"`));
      for (const [name, changed] of listChanges(JSON.parse(lines[index] ?? ''))) {
        const { fault } = await check(lines.with(index, JSON.stringify(changed)).join('\n'));
        assert.equal(fault?.line, index + 1, `${kind} ${name}`);
      }
    }
  });

  it('is found out when a line is taken out, put in, moved, or the end is cut off', async () => {
    const entry = lines.findIndex((line) => line.startsWith('{"kind":"entry"'));
    const cases: [string, string[]][] = [
      ['an entry taken out', lines.toSpliced(entry, 1)],
      ['an entry twice', lines.toSpliced(entry, 0, lines[entry] ?? '')],
      ['two entries swapped', lines.with(entry, lines[entry + 1] ?? '').with(entry + 1, lines[entry] ?? '')],
      ['no header', lines.slice(1)],
      ['another header', [lines[0] ?? '', ...lines]],
      ['no end', lines.slice(0, -1)],
      ['something behind the end', [...lines, lines[entry] ?? '']],
      ['no JSON', [...lines.slice(0, -1), '{']],
      ['nothing', []],
    ];
    for (const [name, altered] of cases) assert.notEqual((await check(altered.join('\n'))).fault, null, name);
  });

  it('is nothing for another patient than it is about', async () => {
    const header = JSON.stringify({ ...JSON.parse(lines[0] ?? ''), patientId: foreign.projectId });
    const { fault, proven } = await check(lines.with(0, header).join('\n'));
    assert.deepEqual([fault?.what, fault?.line, proven], ['extra', 3, 0]);
  });

  it('names the service whose keys signed, whatever its header says', async () => {
    const header = JSON.stringify({ ...JSON.parse(lines[0] ?? ''), issuer: 'https://elsewhere.example' });
    assert.equal((await check(lines.with(0, header).join('\n'))).issuer, service.baseUrl);
  });

  it('says of an entry without its proof that it is not proven', async () => {
    const index = lines.findIndex((line) => line.startsWith('{"kind":"entry"'));
    const bare = JSON.stringify({ ...JSON.parse(lines[index] ?? ''), proof: null });
    const { fault, proven, unsealed } = await check(lines.with(index, bare).join('\n'));
    assert.deepEqual([fault, proven, unsealed], [null, 62, 1]);
  });
});

/** Each leaf of a JSON value changed a little, one at a time, with its path. */
function* listChanges(value: unknown, path = ''): Generator<[string, unknown]> {
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries())
      for (const [name, changed] of listChanges(inner, `${path}[${index}]`))
        yield [name, value.with(index, changed)];
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value))
      for (const [name, changed] of listChanges(inner, `${path}.${key}`))
        yield [name, { ...value, [key]: changed }];
  } else if (typeof value === 'string') {
    yield [path, `${value.slice(0, 5)}${value[5] === 'a' ? 'b' : 'a'}${value.slice(6)}`];
  } else {
    yield [path, typeof value === 'number' ? value + 1 : 'something'];
  }
}

describe('an access log that is kept for half a year', () => {
  it('says so, and loses months that ended before, once a day', async () => {
    const service = await startTestService({ environment: { CHARTGATE_AUDIT_RETENTION_MONTHS: '6' } });
    try {
      const { id, token } = await newTestPatient(service);
      const { body } = await call(service, `/v1/patients/${id}/access-log`, { token });
      assert.deepEqual([body.keptMonths, body.results.length > 0], [6, true]);
      await service.worker.enqueueRecurringJobs();
      service.clock.advance(400 * 24 * 3600 * 1000);
      await service.worker.drain();
      const actions = await service.store.db.query(sql<{ action: string; kept: boolean }>`
        select distinct action, at > ${service.clock.now()}::timestamptz - interval '1 day' as kept from audit_entry`);
      assert.ok(actions.some(({ action }) => action === 'audit.entries_dropped'));
      assert.deepEqual(
        actions.filter(({ kept }) => !kept),
        [],
      );
    } finally {
      await service.stop();
    }
  });
});
