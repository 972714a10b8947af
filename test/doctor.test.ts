import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { ProjectId } from '../contract/brands.ts';
import { checkAddress } from '../server/surfaces/doctor/check-address.ts';
import { checkBackups } from '../server/surfaces/doctor/check-backups.ts';
import { checkMailServer } from '../server/surfaces/doctor/check-mail.ts';
import { checkRecords, checkSchema } from '../server/surfaces/doctor/check-schema.ts';
import { checkSettings } from '../server/surfaces/doctor/check-settings.ts';
import { checkEngine, checkStore } from '../server/surfaces/doctor/check-store.ts';
import type { Finding } from '../server/surfaces/doctor/finding.ts';
import { walkWithGivenKey } from '../server/surfaces/doctor/walk-with-given-key.ts';
import { walk } from '../server/surfaces/doctor/walk.ts';
import { OPERATOR_CHECKS } from '../contract/organization/doctor/findings.ts';
import { READING_VERSION } from '../server/clinical/store/reading-version.ts';
import { readConfig } from '../server/config.ts';
import { generateId } from '../server/platform/kernel/ids.ts';
import { one } from '../server/platform/db/db.ts';
import { openPostgres } from '../server/platform/db/postgres.ts';
import { raw, sql } from '../server/platform/db/sql.ts';
import { runCommand } from './harness/cli.ts';
import {
  call,
  getOrganizationToken,
  newOrganization,
  startTestService,
  type TestService,
} from './harness/service.ts';
import { createTestAuthority } from './harness/tls/authority.ts';

const summarize = (findings: readonly Finding[]): string[] =>
  findings.map(({ check, outcome }) => `${check}: ${outcome}`);

/** Serves on a free port until the test ends; returns the base URL. */
async function listen(t: TestContext, server: http.Server | https.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const scheme = server instanceof https.Server ? 'https' : 'http';
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('chartgate doctor', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  const doctor = async (...args: string[]) => {
    const environment = {
      DATABASE_URL: service.store.databaseUrl ?? '',
      CHARTGATE_DATA_DIR: service.store.dataDirectory,
      CHARTGATE_BASE_URL: service.baseUrl,
    };
    const { code, stdout, stderr } = await runCommand(['doctor', '--json', ...args], { environment });
    assert.equal(stderr, '');
    return { code, ...(JSON.parse(stdout) as { isHealthy: boolean; findings: Finding[] }) };
  };

  it('walks with a test patient through a service that works, and leaves neither patient nor key in force, nor those of a run that was killed', async () => {
    const url = `/v1/organizations/${service.organization.organizationId}/test-patients`;
    const json = { firstName: 'Throwaway', lastName: 'Check' };
    const token = await getOrganizationToken(service);
    const [killed, running] = [
      await call(service, url, { token, json }),
      await call(service, url, { token, json }),
    ].map(({ body }) => body.patient.id as string);
    await service.store.db.query(
      sql`update patient set created_at = now() - interval '61 minutes' where patient_id = ${killed}`,
    );
    const { code, isHealthy, findings } = await doctor();
    // The tests' PostgreSQL is as fast as it may be where nothing has to last.
    const failing = findings.filter(({ outcome }) => outcome === 'failed');
    assert.deepEqual(
      [code, isHealthy, failing.map(({ detail }) => detail.split(':')[0])],
      [1, false, ['fsync is off', 'full_page_writes is off']],
    );
    assert.deepEqual(
      findings.filter(({ outcome }) => outcome === 'ok').map(({ check }) => check),
      [
        'reachable',
        'ready',
        'clock',
        'issuer',
        'challenge',
        'large_uploads',
        'schema',
        'space',
        'jobs',
        'records',
        'test_patient',
        'upload',
        'consent',
        'mcp',
        'withdrawal',
      ],
    );
    const left = await service.store.db.query(sql<{ patients: number; keys: number }>`
      select (select count(*) from patient where patient_id <> ${running}) as patients,
        (select count(*) from api_key where name = 'chartgate doctor' and revoked_at is null) as keys`);
    assert.deepEqual(left, [{ patients: 0, keys: 0 }]);
    const { status } = await call(service, `${url}/${running}`, { method: 'DELETE', token });
    assert.equal(status, 204, 'of a run that may still be under way');
  });

  it('ends with 1 where nothing answers, and creates no test patient', async (t) => {
    const refused = http.createServer();
    const baseUrl = await listen(t, refused);
    await new Promise((resolve) => refused.close(resolve));
    const environment = { DATABASE_URL: service.store.databaseUrl ?? '', CHARTGATE_BASE_URL: baseUrl };
    const { code, stdout } = await runCommand(['doctor'], { environment });
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^FAIL {2}reachable .* nothing listens there \(ECONNREFUSED\)\.\n +Start the service/m,
    );
    assert.match(stdout, /^skip {2}test_patient /m);
    assert.match(stdout, /Something fails: mend it/);
  });

  it('is run for the console by a job: one at a time, one a minute, what it found kept with who asked', async () => {
    const { organizationId } = service.organization;
    const url = `/v1/organizations/${organizationId}/doctor`;
    const token = await getOrganizationToken(service);
    assert.deepEqual((await call(service, url, { token })).body, { running: null, last: null });
    const start = () => call(service, url, { method: 'POST', token });
    const answers = await Promise.all([start(), start()]);
    assert.deepEqual(answers.map(({ status, body }) => `${status} ${body.code ?? ''}`).sort(), [
      '202 ',
      '409 doctor_running',
    ]);
    await service.worker.drain();
    const { running, last } = (await call(service, url, { token })).body;
    assert.equal(running, null);
    assert.deepEqual([last.isHealthy, last.step, last.startedBy.kind], [false, last.steps, 'admin']);
    const { findings: printed } = await doctor();
    assert.deepEqual(
      summarize(last.findings).filter((line) => !line.startsWith('clock')),
      summarize(printed).filter((line) => !line.startsWith('clock')),
      'the command finds the same',
    );
    const { status, body, headers } = await start();
    assert.deepEqual([status, body.code], [429, 'doctor_ran_just_now']);
    service.clock.advance(Number(headers.get('retry-after')) * 1000);
    assert.equal((await start()).status, 202);
    assert.deepEqual(
      (await call(service, url, { token })).body.last,
      last,
      'kept until the next one has ended',
    );
    await service.worker.drain();
    const [left] = await service.store.db.query(sql<{ patients: number; keys: number; runs: number }>`
      select (select count(*) from patient) as patients, (select count(*) from doctor_run) as runs,
        (select count(*) from api_key where name = 'chartgate doctor' and revoked_at is null) as keys,
        (select count(*) from audit_entry where action = 'doctor.started') as entries`);
    assert.deepEqual(left, { patients: 0, runs: 2, keys: 0, entries: 2 });
  });

  it('takes a given key in its organization, by name or id, and says when the key is of another', async () => {
    const { baseUrl } = service;
    const { organizationId, admin: key } = service.organization;
    const { body } = await call(service, `/v1/organizations/${organizationId}`, {
      token: await getOrganizationToken(service),
    });
    for (const nameOrId of [body.name as string, organizationId.toUpperCase(), null]) {
      const findings = await walkWithGivenKey({ baseUrl, nameOrId, key });
      assert.equal(
        findings.find(({ outcome }) => outcome === 'failed'),
        undefined,
        nameOrId ?? 'none',
      );
      assert.equal(findings.at(0)?.code, 'enrolled');
    }
    for (const nameOrId of ['Nobody', generateId<string>()]) {
      const [finding, ...more] = await walkWithGivenKey({ baseUrl, nameOrId, key });
      assert.equal(finding?.code, 'key_of_another');
      assert.deepEqual(more, []);
    }
  });

  it('finds a cache in front that serves what was read before the withdrawal', async (t) => {
    const cache = new Map<string, Promise<{ status: number; type: string; body: string }>>();
    const forward = async ({ url, method = 'GET', headers }: http.IncomingMessage, body: Buffer) => {
      const { host: _host, connection: _connection, 'content-length': _length, ...passed } = headers;
      const answer = await fetch(`${service.baseUrl}${url}`, {
        method,
        headers: passed as Record<string, string>,
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
      const type = answer.headers.get('content-type') ?? 'text/plain';
      return { status: answer.status, type, body: await answer.text() };
    };
    const answerFromCache = async (request: http.IncomingMessage, response: http.ServerResponse) => {
      const sent = Buffer.concat(await request.toArray());
      const key = sent.toString();
      const answer = (request.url?.endsWith('/mcp') && cache.get(key)) || forward(request, sent);
      cache.set(key, answer);
      const { status, type, body } = await answer;
      response.writeHead(status, { 'content-type': type }).end(body);
    };
    const baseUrl = await listen(
      t,
      http.createServer((request, response) => void answerFromCache(request, response)),
    );
    const { organizationId, admin } = service.organization;
    const findings = await walk({ baseUrl, organizationId, key: admin });
    assert.deepEqual(summarize(findings).slice(-2), ['mcp: ok', 'withdrawal: failed']);
  });

  it('needs a key that is in force', async () => {
    const { organizationId, admin } = service.organization;
    const key = { ...admin, apiSecret: 'no secret of this key' };
    assert.deepEqual(summarize(await walk({ baseUrl: service.baseUrl, organizationId, key })), [
      'api_key: failed',
    ]);
  });

  it('finds a database that may lose what it acknowledged', async () => {
    const { db, databaseUrl = '' } = service.store;
    const { name } = await one(db, sql<{ name: string }>`select current_database() as name`);
    await db.query(raw(`alter database "${name}" set synchronous_commit = off`));
    const fresh = openPostgres(databaseUrl);
    try {
      const findings = await checkEngine(fresh, service.clock.now());
      assert.ok(
        findings.some(({ outcome, detail }) => outcome === 'failed' && /synchronous_commit/.test(detail)),
      );
    } finally {
      await fresh.close();
      await db.query(raw(`alter database "${name}" reset synchronous_commit`));
    }
  });

  it('finds a store of another schema, of whose contents it asks nothing then, and records that earlier rules have read', async (t) => {
    const { db } = service.store;
    t.after(() => db.query(raw(`delete from migration where name like '9999-%'`)));
    const [newest] = await db.query(
      sql<{
        name: string;
        checksum: string;
      }>`select name, checksum from migration order by name desc limit 1`,
    );
    assert.deepEqual(
      [(await checkSchema(db)).code, (await checkRecords(db)).code],
      ['schema_ok', 'records_ok'],
    );
    await db.query(sql`delete from migration where name = ${newest?.name ?? ''}`);
    const older = await checkSchema(db);
    assert.deepEqual([older.code, older.values['count']], ['schema_older', '1']);
    const { findings } = await doctor();
    const checks = findings.map(({ check, outcome }) => `${check} ${outcome}`);
    assert.ok(checks.includes('schema failed') && checks.includes('test_patient skipped'), checks.join());
    assert.deepEqual(
      findings.filter(({ check }) => ['jobs', 'records', 'secrets', 'doctor'].includes(check)),
      [],
    );
    await db.query(
      sql`insert into migration values (${newest?.name ?? ''}, ${newest?.checksum ?? ''}, now())`,
    );
    await db.query(sql`insert into migration values ('9999-later.sql', 'x', now())`);
    assert.deepEqual((await checkSchema(db)).values, { newest: '9999-later.sql' });
    await db.query(sql`insert into record_head (patient_id, next_seq, total, read_version) values
      (${generateId()}, 3, 2, null), (${generateId()}, 3, 2, ${READING_VERSION - 1}), (${generateId()}, 1, 0, null),
      (${generateId()}, 3, 2, ${READING_VERSION})`);
    const records = await checkRecords(db);
    assert.deepEqual([records.code, records.values['count']], ['records_older', '2']);
    await db.query(raw('delete from record_head where total = 2 or (total = 0 and read_version is null)'));
  });

  it('finds a store that refuses for want of space, and settings that name what it has not', async () => {
    const { db } = service.store;
    const projectId = generateId<ProjectId>();
    const organizationId = generateId();
    const named = {
      oauth: { projectId },
      oidc: { organizationId },
    };
    db.capacity.set('low');
    const find = async (check: string): Promise<string[]> =>
      [...(await checkEngine(db, service.clock.now())), ...(await checkStore(db, named, service.clock.now()))]
        .filter((each) => each.check === check)
        .map(({ code, values }) => [code, values['name']].join(' ').trim());
    try {
      assert.deepEqual(await find('space'), ['space_low']);
    } finally {
      db.capacity.set('ample');
    }
    assert.deepEqual(await find('space'), ['space_ok']);
    assert.deepEqual(await find('settings'), [
      'id_unknown CHARTGATE_OAUTH_PROJECT_ID',
      'id_unknown CHARTGATE_OIDC_ORGANIZATION_ID',
    ]);
    const { organization } = service;
    named.oauth.projectId = organization.projectId;
    named.oidc.organizationId = organization.organizationId;
    assert.deepEqual(await find('settings'), []);
  });

  it('names what a proxy in front does wrong', async (t) => {
    const answers: Record<string, [number, object, Record<string, string>?]> = {
      '/healthz': [200, { status: 'ok' }, { date: 'Mon, 05 Jan 2026 10:00:00 GMT' }],
      '/readyz': [503, { code: 'clocks_differ' }, { date: 'Mon, 05 Jan 2026 10:00:00 GMT' }],
      '/.well-known/oauth-authorization-server': [200, { issuer: 'http://other.example' }],
      '/mcp': [403, {}],
    };
    const server = http.createServer((request, response) => {
      const [status, body, headers = {}] = answers[request.url ?? ''] ?? [413, {}];
      response.writeHead(status, headers).end(JSON.stringify(body));
    });
    server.on('checkContinue', (_, response: http.ServerResponse) => response.writeHead(413).end());
    assert.deepEqual(summarize(await checkAddress(await listen(t, server))), [
      'name_servers: skipped',
      'reachable: ok',
      'ready: failed',
      'clock: failed',
      'issuer: failed',
      'challenge: failed',
      'large_uploads: failed',
    ]);
    answers['/.well-known/oauth-authorization-server'] = [403, { code: 'host_not_allowed' }];
    const issuer = (
      await checkAddress(await listen(t, http.createServer(server.listeners('request')[0] as never)))
    ).find(({ check }) => check === 'issuer');
    assert.match(issuer?.remedy ?? '', /Host header/);
  });

  it('explains a certificate that nobody trusts', async (t) => {
    const identity = await (await createTestAuthority()).issue(['127.0.0.1']);
    const baseUrl = await listen(t, https.createServer(identity));
    const [finding] = (await checkAddress(baseUrl)).filter(({ outcome }) => outcome === 'failed');
    assert.match(finding?.detail ?? '', /its certificate is not trusted/);
  });

  it('warns of what the settings open', () => {
    const environment = {
      CHARTGATE_BASE_URL: 'http://charts.example',
      CHARTGATE_WEBHOOK_ALLOW_PRIVATE: '1',
      CHARTGATE_BASEURL: 'x',
      SMTP_URL: 'smtp://mail.example',
    };
    const findings = checkSettings(readConfig(environment));
    assert.deepEqual(summarize(findings), [
      'settings: warning',
      'settings: failed',
      'settings: warning',
      'settings: warning',
      'mail: failed',
    ]);
    const good = {
      CHARTGATE_BASE_URL: 'https://charts.example',
      CHARTGATE_TRUSTED_PROXIES: '10.0.0.0/8',
      SMTP_URL: 'smtp://mail.example',
      CHARTGATE_MAIL_FROM: 'Clinic <no-reply@clinic.org>',
    };
    assert.deepEqual(summarize(checkSettings(readConfig(good))), ['settings: ok']);
    const codes = checkSettings(readConfig({ HOST: '0.0.0.0' })).map(({ code }) => code);
    assert.ok(codes.includes('base_url_missing'));
  });

  it('says of the mail server why it takes nothing', async (t) => {
    const closed = http.createServer();
    const { host } = new URL(await listen(t, closed));
    await new Promise((resolve) => closed.close(resolve));
    const outbox = path.join(os.tmpdir(), 'not-there-yet/outbox');
    assert.match(
      (await checkMailServer({ smtpUrl: `smtp://${host}`, outbox })).detail,
      /nothing listens there/,
    );
    const mailsAsFiles = (folder: string) => checkMailServer({ smtpUrl: undefined, outbox: folder });
    assert.equal((await mailsAsFiles(outbox)).outcome, 'skipped');
    const unusable = await mailsAsFiles(path.join(process.execPath, 'outbox'));
    assert.equal(unusable.outcome, 'failed');
    assert.match(unusable.detail, /a part of the path is a file \(ENOTDIR\)/);
  });

  it('opens the newest backup, and says how old it is', async () => {
    const folder = path.join(service.store.dataDirectory, 'backups');
    const now = new Date();
    assert.equal((await checkBackups(folder, now)).outcome, 'failed');
    fs.mkdirSync(folder, { recursive: true });
    const file = path.join(folder, 'one.zip');
    const environment = { DATABASE_URL: service.store.databaseUrl ?? '' };
    assert.equal((await runCommand(['backup', file], { environment })).code, 0);
    assert.equal((await checkBackups(folder, now)).outcome, 'ok');
    assert.equal((await checkBackups(folder, new Date(now.getTime() + 28 * 3_600_000))).outcome, 'warning');
    fs.truncateSync(file, 1000);
    assert.equal((await checkBackups(folder, now)).outcome, 'failed');
  });

  it('shows nothing of what organizations share to one of several, not even what was found before', async () => {
    const url = `/v1/organizations/${service.organization.organizationId}/doctor`;
    const token = await getOrganizationToken(service);
    const find = async (): Promise<Finding[]> => (await call(service, url, { token })).body.last.findings;
    const isOperators = ({ check }: Finding) => OPERATOR_CHECKS.has(check);
    assert.ok((await find()).some(isOperators), 'alone it sees all');
    await newOrganization(service);
    const left = await find();
    assert.deepEqual([left.some(isOperators), left.length > 0], [false, true]);
    service.clock.advance(61_000);
    assert.equal((await call(service, url, { method: 'POST', token })).status, 202);
    await service.worker.drain();
    const [stored] = await service.store.db.query(
      sql<{ findings: string }>`select findings::text from doctor_run order by started_at desc limit 1`,
    );
    const found = JSON.parse(stored?.findings ?? '[]') as Finding[];
    assert.deepEqual(
      found.filter(isOperators).map(({ check }) => check),
      ['name_servers'],
    );
    assert.equal(found[0]?.code, 'operator_checks');
    assert.ok(
      found.some(({ check }) => check === 'test_patient'),
      JSON.stringify(found),
    );
    assert.ok(!(await find()).some(isOperators));
  });
});
