import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { DailyFigures } from '../../contract/organization/daily-figures.ts';
import { addDays, toDay } from '../../contract/time-zone.ts';
import { countDays } from '../../server/surfaces/insights/count-days.ts';
import { sumUsageDays } from '../../server/surfaces/insights/sum-usage-days.ts';
import { createUsage, type Use } from '../../server/platform/usage/usage.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import {
  call,
  decide,
  callTool,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { waitForMail } from '../harness/mails.ts';
import { sendRequest } from '../harness/send-request.ts';

const HOUR_MS = 3_600_000;

interface Result {
  at: string;
  kind: string;
  key: string | null;
  count: number;
  refused: number;
  failed: number;
  p50Ms: number | null;
  p95Ms: number | null;
}

describe('what an organization used', () => {
  let service: TestService;
  let admin: string;
  let patient: TestPatient;
  before(async () => {
    service = await startTestService();
    admin = await getOrganizationToken(service);
    patient = await newTestPatient(service);
    const other = await newTestPatient(service, { consent: false });
    await upload(
      service,
      patient,
      await createArchive({
        'bundle.json': createBundle({ resourceType: 'Observation', id: '1', code: { text: 'Heart rate' } }),
      }),
    );
    await callTool(service, patient, 'get_labs');
    await callTool(service, patient, 'get_labs');
    await callTool(service, patient, 'get_labs', { years: 'many' });
    await callTool(service, other, 'get_labs');
    await call(service, `/FHIR/R4/Person/${patient.id}/$everything`, { token: patient.token });
    await call(service, `/FHIR/R4/Person/${patient.id}/$everything?_count=many`, { token: patient.token });
    await sendRequest(`${service.baseUrl}/FHIR/R4/Person/${patient.id}`, { method: 'GET', headers: {} });
    await call(service, `/v1/projects/${patient.projectId}/patients`, {
      token: admin,
      json: { patients: [{ email: 'ana@example.org', firstName: 'Ana', lastName: 'Ruiz' }] },
    });
  });
  after(async () => {
    await service.app.close();
    await service.store.remove();
  });

  const getUsage = async (query: string) => {
    const now = service.clock.now().getTime();
    const range = `from=${new Date(now - 3600_000).toISOString()}&to=${new Date(now + 60_000).toISOString()}`;
    const { organizationId } = service.organization;
    return call(service, `/v1/organizations/${organizationId}/usage?${range}&${query}`, { token: admin });
  };
  const listUsage = async (query: string): Promise<Result[]> =>
    (await getUsage(query)).body.results as Result[];

  it('is in the store once the service was stopped: each call by its kind, with what was refused and what failed', async () => {
    await waitForMail(service, 'ana@example.org');
    await service.worker.stop();
    const usage = await listUsage('');
    assert.deepEqual(
      usage.map(({ kind, key, count, refused, failed }) => [kind, key, count, refused, failed]),
      [
        ['fhir_read', null, 2, 0, 1],
        ['mail', null, 1, 0, 0],
        ['tool_call', null, 4, 1, 1],
        ['upload', null, 1, 0, 0],
      ],
    );
    assert.ok(usage.every(({ kind, p50Ms }) => (p50Ms === null) === (kind === 'mail')));
  });

  it('is that of the last 30 days where no range is asked for', async () => {
    const url = `/v1/organizations/${service.organization.organizationId}/usage`;
    const { status, body } = await call(service, url, { token: admin });
    assert.equal(status, 200);
    const days = (Date.parse(body.to as string) - Date.parse(body.from as string)) / 86_400_000;
    assert.ok(days >= 30 && days < 31, String(days));
    assert.ok(Math.abs(Date.parse(body.to as string) - service.clock.now().getTime()) < 600_000);
    assert.ok((body.results as Result[]).some(({ kind }) => kind === 'tool_call'));
    const figures = await call(service, url.replace('usage', 'daily-figures'), { token: admin });
    assert.deepEqual([figures.status, figures.body.results.length], [200, 31]);
    const until = await call(service, `${url}?to=2026-01-31T00:00:00Z`, { token: admin });
    assert.deepEqual(
      [until.body.from, until.body.to],
      ['2026-01-01T00:00:00.000Z', '2026-01-31T00:00:00.000Z'],
    );
  });

  it('is summed by tool, client, project or outcome, which it names', async () => {
    const by = async (key: string) =>
      (await listUsage(`kind=tool_call&by=${key}`)).map((row) => [row.key, row.count]);
    assert.deepEqual(await by('tool'), [['get_labs', 4]]);
    assert.deepEqual(await by('client'), [['direct', 4]]);
    assert.deepEqual(await by('project'), [[patient.projectId, 4]]);
    assert.deepEqual(await by('outcome'), [
      ['failed', 1],
      ['refused', 1],
      ['success', 2],
    ]);
    const { body } = await getUsage('by=project&bucket=hour');
    assert.deepEqual(body.names, { [patient.projectId]: 'Study' });
    const total = (await getUsage('kind=tool_call&bucket=total')).body.results as Result[];
    assert.deepEqual(
      total.map(({ at, count }) => [at.slice(13), count]),
      [[':00:00.000Z', 4]],
    );
    assert.equal(((body.results as Result[])[0]?.at ?? '').slice(13), ':00:00.000Z');
    const { organizationId } = service.organization;
    for (const range of [
      'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
      'from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    ])
      assert.equal(
        (await call(service, `/v1/organizations/${organizationId}/usage?${range}`, { token: admin })).status,
        400,
      );
  });

  it("is summed by the days of the organization's zone, also where its clocks are changed", async () => {
    const { organizationId } = service.organization;
    const url = `/v1/organizations/${organizationId}`;
    const setZone = (timeZone: string) =>
      call(service, url, { method: 'PATCH', token: admin, json: { timeZone } });
    for (const timeZone of ['+05:00', 'EST5EDT4', 'Mars/Olympus'])
      assert.equal((await setZone(timeZone)).status, 400, timeZone);
    assert.equal((await setZone('America/New_York')).body.timeZone, 'America/New_York');
    // The last hour before midnight and the first one after it, around the day of 23 hours.
    const hours = ['08T04', '08T05', '09T03', '09T04'].map((hour) => `2026-03-${hour}:00:00Z`);
    await service.store.db.query(sql`
      insert into usage_hour (organization_id, hour, kind, name, project_id, client, outcome, count, duration_ms_sum, duration_buckets)
      select ${organizationId}, hour, 'upload', '', ${service.organization.projectId}, '', 'success', 1, 0, array_fill(0, array[12])
      from unnest(${hours}::timestamptz[]) as hour`);
    const range = 'from=2026-03-07T20:00:00Z&to=2026-03-10T04:00:00Z&kind=upload';
    const { body } = await call(service, `${url}/usage?${range}`, { token: admin });
    assert.deepEqual([body.zone, body.from], ['America/New_York', '2026-03-07T05:00:00.000Z']);
    assert.deepEqual(
      (body.results as Result[]).map(({ at, count }) => [at, count]),
      [
        ['2026-03-07T05:00:00.000Z', 1],
        ['2026-03-08T05:00:00.000Z', 2],
        ['2026-03-09T04:00:00.000Z', 1],
      ],
    );
  });

  it('is the same once its days are summed, whatever the zone, and also when something is added late', async () => {
    const { db } = service.store;
    const { organizationId, projectId } = service.organization;
    const url = `/v1/organizations/${organizationId}`;
    let now = Date.parse('2026-03-28T12:00:00Z');
    const clock = { now: () => new Date(now) };
    const sum = () => sumUsageDays({ db, clock }, new AbortController().signal);
    const node = createUsage({ db, clock, onError: assert.ifError });
    const use = async (kind: Use['kind'], durationMs: number): Promise<void> => {
      node.count({ organizationId, projectId, kind, name: 'a', outcome: 'failed', durationMs });
      await node.flush();
    };
    // Every fifth hour of two weeks, around the day on which clocks in London go forward.
    for (let hour = 0; hour < 70; hour++, now += 5 * HOUR_MS) await use('fhir_read', hour * 7);
    const measure = async () => {
      const answers = [];
      for (const range of [
        'from=2026-03-01T00:00:00Z&to=2026-04-20T00:00:00Z',
        'from=2026-03-30T05:30:00Z&to=2026-04-05T17:30:00Z',
        'from=2026-03-30T05:30:00Z&to=2026-04-05T17:30:00Z&bucket=total',
        'from=2026-03-30T05:30:00Z&to=2026-04-05T17:30:00Z&bucket=hour',
        'from=2026-03-30T05:30:00Z&to=2026-03-30T07:30:00Z&bucket=total',
      ])
        answers.push((await call(service, `${url}/usage?${range}&by=tool`, { token: admin })).body.results);
      return answers;
    };
    for (const timeZone of ['Europe/London', 'Asia/Kolkata']) {
      await call(service, url, { method: 'PATCH', token: admin, json: { timeZone } });
      const before = await measure();
      await sum();
      assert.deepEqual(await measure(), before, timeZone);
    }
    const summedUntil = now;
    now = Date.parse('2026-04-02T03:20:00Z');
    node.count({ organizationId, projectId, kind: 'fhir_read', name: 'a', outcome: 'success' });
    now = summedUntil;
    await node.flush();
    const added = await measure();
    await sum();
    assert.deepEqual(await measure(), added);
    assert.equal((added[0] as Result[]).find(({ at }) => at === '2026-04-01T18:30:00.000Z')?.count, 6);
    await db.query(
      sql`delete from usage_hour where hour > '2026-03-31T00:00:00Z' and hour < '2026-04-04T18:00:00Z'`,
    );
    assert.deepEqual((await measure()).slice(0, 3), added.slice(0, 3), 'hours of summed days are not read');
  });

  it('has how many patients were read and what is stored by the day, also before the present day was counted', async () => {
    const { organizationId, projectId } = service.organization;
    await call(service, `/v1/organizations/${organizationId}`, {
      method: 'PATCH',
      token: admin,
      json: { timeZone: 'America/New_York' },
    });
    const today = toDay(service.clock.now(), 'America/New_York');
    const yesterday = addDays(today, -1);
    const list = async (query = '') => {
      const url = `/v1/organizations/${organizationId}/daily-figures?from=${yesterday}&to=${addDays(today, 1)}${query}`;
      const { body } = await call(service, url, { token: admin });
      return body.results as DailyFigures[];
    };
    const before = await list();
    assert.deepEqual(
      before.map(({ day, activePatients }) => [day, activePatients]),
      [
        [yesterday, 0],
        [today, 1],
      ],
      'a refused call is no read, and two reads of one patient are one patient',
    );
    const { signal } = new AbortController();
    await service.store.db.query(sql`
      insert into document (patient_id, document_id, batch_id, path, size, sha256, received_at)
      values (${patient.id}, ${patient.id}, ${patient.id}, 'note.pdf', 1234, '', now())`);
    await countDays({ db: service.store.db, clock: service.clock }, signal);
    await countDays({ db: service.store.db, clock: service.clock }, signal);
    const [, after] = await list();
    const [stored] = await service.store.db.query(sql<{ bytes: number }>`
      select sum(octet_length(body))::bigint as bytes from resource`);
    const bytes = stored?.bytes ?? 0;
    assert.ok(bytes > 0);
    assert.deepEqual(after?.storage, {
      recordBytes: bytes,
      originalBytes: 1234,
      evidenceBytes: 0,
      logBytes: after?.storage.logBytes,
    });
    assert.ok((after?.storage.logBytes ?? 0) > 1000);
    const [past] = await list();
    assert.equal(past?.storage.recordBytes, null, 'nobody measured it then');
    const [, ofProject] = await list(`&projectId=${projectId}`);
    assert.equal(ofProject?.storage.recordBytes, bytes);
    assert.equal(ofProject?.activePatients, 1);
    for (const [status, expected] of [
      ['OPTED_OUT', 0],
      ['OPTED_IN', bytes],
    ] as const) {
      await decide(service, patient, status);
      await countDays({ db: service.store.db, clock: service.clock }, signal);
      const { recordBytes, originalBytes } = (await list())[1]?.storage ?? {};
      assert.deepEqual([recordBytes, originalBytes], [expected, expected && 1234], 'of those who share it');
    }
    const range = 'from=2026-02-01&to=2026-01-01';
    const refused = await call(service, `/v1/organizations/${organizationId}/daily-figures?${range}`, {
      token: admin,
    });
    assert.equal(refused.status, 400);
  });

  it('is answered with an ETag: 304 until something has changed, for nobody who may not read it', async () => {
    const url = `/v1/organizations/${service.organization.organizationId}`;
    const first = await call(service, url, { token: admin });
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^W\/"[\w-]{27}"$/);
    assert.equal(first.headers.get('cache-control'), 'no-store');
    const ask = (token: string | undefined) =>
      call(service, url, { token, headers: { 'if-none-match': `"other", ${etag}` } });
    const same = await ask(admin);
    assert.deepEqual([same.status, same.body, same.headers.get('etag')], [304, '', etag]);
    assert.equal((await ask(undefined)).status, 401);
    const json = { publicName: 'Another study' };
    for (const tag of [etag, '"other"'])
      assert.equal(
        (await call(service, url, { method: 'PATCH', token: admin, json, headers: { 'if-match': tag } }))
          .status,
        412,
      );
    assert.equal((await ask(admin)).status, 304);
    await call(service, url, { method: 'PATCH', token: admin, json: { publicName: 'A study' } });
    const changed = await ask(admin);
    assert.deepEqual([changed.status, changed.body.publicName], [200, 'A study']);
  });

  it('of several nodes is added up, and what could not be stored is stored the next time', async () => {
    const { db } = service.store;
    const { clock, organization } = service;
    const errors: unknown[] = [];
    const one = createUsage({ db, clock, onError: (error) => errors.push(error) });
    let isDown = true;
    const other = createUsage({
      db: { ...db, query: (statement) => (isDown ? Promise.reject(new Error('down')) : db.query(statement)) },
      clock,
      onError: (error) => errors.push(error),
    });
    const use = (durationMs: number): Use => ({
      organizationId: organization.organizationId,
      kind: 'delivery',
      name: 'consent.recorded',
      outcome: 'success',
      durationMs,
    });
    for (const node of [one, other]) for (const ms of [3, 7, 700]) node.count(use(ms));
    await one.flush();
    await assert.rejects(other.flush(), /down/);
    isDown = false;
    other.count(use(8));
    await other.flush();
    await other.flush();
    const [row] = await db.query(
      sql<{ count: number; duration_ms_sum: number; buckets: string }>`
        select count, duration_ms_sum, duration_buckets::text as buckets from usage_hour where kind = 'delivery'`,
    );
    assert.deepEqual(row, { count: 7, duration_ms_sum: 1428, buckets: '{2,3,0,0,0,0,0,2,0,0,0,0}' });
    assert.deepEqual(errors, []);
  });
});
