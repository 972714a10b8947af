import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { AuditEvent, RecordRead } from '../../contract/organization/audit-events.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import { sealAll } from '../../server/platform/audit/seal.ts';
import { verifyIncrements } from '../../server/platform/audit/verify-increments.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createSigningKeys, listAllSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import { runCommand } from '../harness/cli.ts';
import { newMember, signInAs } from '../harness/member.ts';
import {
  call,
  callTool,
  decide,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
let admin: string;
let patient: TestPatient;
let base: string;

before(async () => {
  service = await startTestService();
  admin = await getOrganizationToken(service);
  base = `/v1/organizations/${service.organization.organizationId}`;
  patient = await newTestPatient(service);
  const other = await newTestPatient(service, { consent: false });
  await callTool(service, patient, 'get_allergies');
  await callTool(service, patient, 'get_labs');
  await callTool(service, other, 'get_labs');
});
after(() => service.stop());

const get = (query: string, token = admin): Promise<HttpResponse> =>
  call(service, `${base}/${query}`, { token });
const listEvents = async (query: string): Promise<AuditEvent[]> =>
  (await get(`audit-events?${query}`)).body.results as AuditEvent[];
const listReads = async (query: string): Promise<RecordRead[]> =>
  (await get(`access-log?${query}`)).body.results as RecordRead[];

describe('the audit log of an organization', () => {
  it('is narrowed by each of its parameters, and by all of them at once', async () => {
    const all = await listEvents('');
    const key = service.organization.admin.apiKey;
    const [third] = all.slice(2);
    const from = await listEvents(`since=${third?.at}`);
    const until = await listEvents(`until=${third?.at}`);
    assert.ok(from.some(({ id }) => id === third?.id) && !until.some(({ id }) => id === third?.id));
    assert.deepEqual([...from, ...until], all);
    const narrowed: [string, (event: AuditEvent) => boolean][] = [
      ['actorKind=admin', ({ actor }) => actor.kind === 'admin'],
      ['actorKind=admin,system', ({ actor }) => ['admin', 'system'].includes(actor.kind)],
      [`actorId=${key}`, ({ actor }) => actor.id === key],
      ['action=mcp.tools_call', ({ action }) => action === 'mcp.tools_call'],
      [`patientId=${patient.id}`, ({ patientId }) => patientId === patient.id],
      [`projectId=${patient.projectId}`, ({ projectId }) => projectId === patient.projectId],
      ['client=direct', ({ client }) => client === 'direct'],
      ['outcome=refused', ({ outcome }) => outcome === 'refused'],
      [
        'action=mcp.tools_call,project.created&outcome=failed,success',
        ({ action, outcome }) => /^(mcp\.tools_call|project\.created)$/.test(action) && outcome === 'success',
      ],
      [
        `action=mcp.tools_call&outcome=success&client=direct&patientId=${patient.id}`,
        ({ action, outcome, patientId }) =>
          action === 'mcp.tools_call' && outcome === 'success' && patientId === patient.id,
      ],
    ];
    for (const [query, matches] of narrowed) {
      const expected = all.filter(matches);
      assert.ok(expected.length > 0 && expected.length < all.length, query);
      assert.deepEqual(await listEvents(query), expected, query);
    }
    assert.deepEqual(all.find(({ actor }) => actor.id === key)?.actor.name, 'Admin key');
    // What it was done to is named too.
    const renamed = await call(
      service,
      `/v1/organizations/${service.organization.organizationId}/projects/${patient.projectId}`,
      {
        method: 'PATCH',
        token: admin,
        json: { name: 'Study of names' },
      },
    );
    assert.equal(renamed.status, 200);
    const [change] = await listEvents('action=project.updated');
    assert.deepEqual(change?.target, { kind: 'project', name: 'Study of names' });
    assert.equal(all.find(({ action }) => action === 'mcp.tools_call')?.target, null);
    for (const query of [
      'outcome=none',
      'outcome=refused,none',
      'since=yesterday',
      'actorKind=robot',
      'patientId=1',
    ])
      assert.equal((await get(`audit-events?${query}`)).status, 400, query);
  });

  it('notifies a patient of each look at the entries that are about, or by, that patient alone', async () => {
    const subject = await newTestPatient(service);
    const listActions = async (): Promise<(string | undefined)[]> => {
      const { body } = await call(service, `/v1/patients/${subject.id}/access-log`, { token: subject.token });
      return (body.results as AuditEvent[]).map(({ action }) => action);
    };
    const before = await listActions();
    for (const query of [
      `patientId=${subject.id}`,
      `actorId=${subject.id}`,
      `actorKind=patient,admin&actorId=${subject.id}`,
    ])
      assert.ok((await listEvents(query)).length > 0, query);
    for (const query of [`patientId=${subject.id}`, `actorId=${subject.id}`])
      assert.equal((await get(`audit-events/export?${query}`)).status, 200);
    const looks = ['audit.exported', 'audit.exported', ...Array(3).fill('access_log.viewed')];
    assert.deepEqual(await listActions(), [...looks, ...before]);
    await listEvents('actorKind=patient');
    await listEvents(`actorKind=admin&actorId=${subject.id}`);
    assert.equal((await listEvents(`patientId=${subject.id}&action=webhook.tested`)).length, 0);
    assert.equal((await listActions()).length, looks.length + before.length);
  });

  it('lists who read what, and what was refused with its reason', async () => {
    const reads = await listReads('');
    assert.deepEqual(
      reads.map(({ tool, outcome, reason, patientId }) => [tool, outcome, reason, patientId === patient.id]),
      [
        ['get_labs', 'refused', 'access_revoked', false],
        ['get_labs', 'success', null, true],
        ['get_allergies', 'success', null, true],
      ],
    );
    assert.deepEqual(await listReads('tool=get_labs&outcome=success'), [reads[1]]);
    assert.deepEqual(await listReads('tool=get_labs,get_allergies&limit=2'), reads.slice(0, 2));
    assert.deepEqual(await listReads('tool=get_allergies,search&outcome=refused,success'), [reads[2]]);
    assert.deepEqual(await listReads('action=fhir.read,mcp.tools_call&outcome=refused,failed'), [reads[0]]);
    assert.deepEqual(await listReads('action=fhir.read'), []);
    assert.deepEqual(await listReads('reason=access_revoked'), [reads[0]]);
    assert.deepEqual(await listReads('reason=forbidden'), []);
    assert.deepEqual(await listReads('reason=forbidden,access_revoked&outcome=refused'), [reads[0]]);
    const { body } = await get('access-log?limit=2');
    assert.deepEqual(await listReads(`before=${body.next}`), [reads[2]]);
  });

  it('refuses a parameter that an endpoint does not name, at every read of /v1', async () => {
    const { organizationId } = service.organization;
    const paths = ENDPOINTS.filter(
      ({ method, path: pattern, audience }) =>
        method === 'GET' && pattern.startsWith('/v1/') && audience.includes('organization'),
    ).map(({ path: pattern }) =>
      pattern
        .replace('{orgId}', organizationId)
        .replace(/\{(projectId|studyId)\}/, patient.projectId)
        .replace('{deliveryId}', 'evt_01KC0000000000000000000000')
        .replace(/\{\w+\}/g, patient.id),
    );
    assert.ok(paths.length > 20);
    for (const url of paths) {
      const { status, body } = await call(service, `${url}?patientid=1`, { token: admin });
      assert.deepEqual([status, body.code, body.errors?.[0]?.path], [400, 'invalid_input', 'patientid'], url);
    }
  });
});

describe('an export of the audit log', () => {
  let folder: string;
  let keys: string;
  const verify = (file: string) => runCommand(['audit verify', file, '--keys', keys], { environment: {} });
  before(async () => {
    folder = service.store.dataDirectory;
    keys = path.join(folder, 'keys.json');
    fs.writeFileSync(keys, JSON.stringify({ keys: await listAllSigningKeys(service.store.db) }));
  });

  it('of a filter is verified without the service, and not once a byte of it was altered', async () => {
    const { status, headers, body } = await get('audit-events/export?action=mcp.tools_call&outcome=success');
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/x-ndjson']);
    fs.writeFileSync(keys, JSON.stringify({ keys: await listAllSigningKeys(service.store.db) }));
    const file = path.join(folder, 'export.ndjson');
    fs.writeFileSync(file, body as string);
    const sound = await verify(file);
    assert.deepEqual([sound.code, sound.stderr], [0, '']);
    assert.match(sound.stdout, /^Proven: 2 entries in the log of organization [0-9a-f-]{36} at http/);
    const altered = (body as string).replace('get_labs', 'get_lab5');
    assert.notEqual(altered, body);
    fs.writeFileSync(file, altered);
    const found = await verify(file);
    assert.equal(found.code, 1);
    assert.match(found.stdout, /ALTERED \(content\): line \d+, entry [0-9a-f-]+ of /);
    fs.writeFileSync(file, (body as string).replace(/^.*"kind":"entry".*\n/m, ''));
    assert.match((await verify(file)).stdout, /ALTERED \(format\).*there should be 2 entries/);
  });

  it('reads page after page of many blocks, and holds each entry once', async () => {
    const { db } = service.store;
    const deps = { db, clock: service.clock };
    const audit = createAuditLog(deps);
    const { organizationId } = service.organization;
    const actor = { kind: 'admin', id: 'key' } as const;
    const action = 'webhook.paused' as const;
    for (let block = 0; block < 3; block++) {
      const entries = Array.from({ length: 60 }, (_, entry) => ({ action, actor, detail: { block, entry } }));
      await audit.writeAll(
        db,
        entries.map((entry) => ({ organizationId, ...entry })),
      );
      await sealAll({ ...deps, keys: createSigningKeys(deps), baseUrl: service.baseUrl });
    }
    const { body } = await get('audit-events/export?action=webhook.paused');
    const lines = (body as string)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.ok(lines.filter(({ kind }) => kind === 'checkpoint').length >= 3);
    const file = path.join(folder, 'many.ndjson');
    fs.writeFileSync(file, body as string);
    const { code, stdout } = await verify(file);
    assert.deepEqual([code, /^Proven: (\d+) entries/.exec(stdout)?.[1]], [0, '180']);
    const csv = await get('audit-events/export?format=csv&action=webhook.paused');
    assert.equal((csv.body as string).trimEnd().split('\r\n').length, 181);
  });

  it('is an entry of the log, as CSV too', async () => {
    await decide(service, patient, 'OPTED_OUT');
    const { headers, body } = await get(`audit-events/export?format=csv&patientId=${patient.id}`);
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    const lines = (body as string).trimEnd().split('\r\n');
    assert.match(lines[0] ?? '', /^at,action,outcome,actor_kind,/);
    assert.ok(lines.some((line) => line.includes(',consent.recorded,success,patient,')));
    // HEAD exports nothing, and claims no length that GET has not.
    const head = await fetch(`${service.baseUrl}${base}/audit-events/export?format=csv`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${admin}` },
    });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, null]);
    const [event] = await listEvents('action=audit.exported');
    assert.deepEqual([event?.actor.kind, event?.detail], ['admin', { format: 'csv', patientId: patient.id }]);
  });

  it('asks a member to prove to be present, and is for no developer', async () => {
    const auditor = await signInAs(service, await newMember(service, 'auditor'));
    const developer = await signInAs(service, await newMember(service, 'developer'));
    const query = `${base}/audit-events/export?action=webhook.tested`;
    assert.equal((await auditor.get(query)).status, 200);
    assert.equal((await developer.get(query)).status, 403);
    service.clock.advance(10 * 60_000);
    const { status, body } = await auditor.get(query);
    assert.deepEqual([status, body.code], [403, 'confirmation_required']);
  });
});

describe('the verification that the service does itself', () => {
  it('goes on from where it was, and shows what it found until that is mended', async () => {
    const { db } = service.store;
    const deps = { db, clock: service.clock };
    const seal = () => sealAll({ ...deps, keys: createSigningKeys(deps), baseUrl: service.baseUrl });
    const check = async () => {
      await verifyIncrements(deps, new AbortController().signal);
      const { body } = await get('audit/checkpoints?limit=1');
      return body as {
        verification: { block: number; entries: number; fault: unknown };
        results: { block: number }[];
      };
    };
    await seal();
    const first = await check();
    assert.equal(first.verification.fault, null);
    assert.equal(first.verification.block, first.results[0]?.block);
    await callTool(service, patient, 'get_labs');
    await seal();
    const second = await check();
    assert.ok(second.verification.entries > first.verification.entries);
    await callTool(service, patient, 'get_labs');
    await seal();
    const entryId = (await listEvents('action=mcp.tools_call&limit=1'))[0]?.id;
    const setClient = (client: string) =>
      db.query(sql`update audit_entry set client = ${client} where entry_id = ${entryId}`);
    await setClient('another');
    const { verification: altered } = await check();
    assert.deepEqual(
      [altered.block, (altered.fault as { what: string; entryId: string }).what],
      [second.verification.block, 'content'],
    );
    await setClient('direct');
    const mended = await check();
    assert.deepEqual(
      [mended.verification.fault, mended.verification.block],
      [null, mended.results[0]?.block],
    );
  });
});
