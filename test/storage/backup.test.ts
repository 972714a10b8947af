import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPromise } from 'yauzl';
import type { OrganizationId } from '../../contract/brands.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import { copyTree } from '../../server/platform/db/copy-tree.ts';
import { readMigrations, type Migration } from '../../server/platform/db/migrate.ts';
import { restoreBackup } from '../../server/platform/backup/restore-backup.ts';
import { listenForSnapshots, requestServedSnapshot } from '../../server/platform/backup/snapshot-socket.ts';
import { writeBackup, writeBackupInto } from '../../server/platform/backup/write-backup.ts';
import { BackupError, createRowDigest, type Manifest } from '../../server/platform/backup/backup-format.ts';
import { verifyStore } from '../../server/platform/audit/verify-store.ts';
import { sealAll } from '../../server/platform/audit/seal.ts';
import { createSigningKeys, listAllSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import { importVerifyingKeys } from '../../server/platform/keys/verifying-keys.ts';
import { listPartitions } from '../../server/platform/db/months.ts';
import { raw, sql } from '../../server/platform/db/sql.ts';
import { generateEventId } from '../../server/surfaces/webhooks/events/event-id.ts';
import { createArchive } from '../harness/archive.ts';
import { runCommand } from '../harness/cli.ts';
import {
  callTool,
  getToolText,
  newTestPatient,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
  waitUntilServing,
} from '../harness/service.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';
import { copyEmbeddedTemplate, openTestStore, type Engine, type TestStore } from '../harness/store.ts';

/** What a record may hold that a format of lines and quotes may lose. */
const HARD = 'a "b" \\n \\ \u2028\u2029 \r\n\t {x,(y)} ÿ 𝄞 �';

/** The same names and addresses for the node before and the node after. */
const ENVIRONMENT = {
  CHARTGATE_BASE_URL: 'https://records.example',
  CHARTGATE_ALLOWED_HOSTS: '127.0.0.1',
  CHARTGATE_MCP_RATE_LIMIT: '1000000',
};

async function startNode(store: TestStore): Promise<TestService> {
  const service = await startTestService({ store, environment: ENVIRONMENT });
  return Object.assign(service, { baseUrl: `http://127.0.0.1:${service.config.http.port}` });
}

const listCounts = ({ tables }: Manifest): Record<string, number> =>
  Object.fromEntries(tables.filter(({ rows }) => rows > 0).map(({ name, rows }) => [name, rows]));

const condition = (id: string, text: string): string =>
  JSON.stringify({
    resourceType: 'Condition',
    id,
    clinicalStatus: { coding: [{ code: 'active' }] },
    code: { text },
    note: [{ text: HARD }],
    subject: { reference: 'Patient/p' },
  });

for (const [from, to] of [
  ['embedded', 'postgresql'],
  ['postgresql', 'embedded'],
] as const satisfies readonly (readonly [Engine, Engine])[])
  describe(`a backup of the ${from} store`, () => {
    let folder: string;
    let source: TestStore;
    let service: TestService;
    let patient: TestPatient;
    let file: string;
    let manifest: Manifest;
    let answer: string;
    before(async () => {
      source = await openTestStore(from);
      folder = source.dataDirectory;
      file = path.join(folder, 'backup.zip');
      service = await startNode(source);
      patient = await newTestPatient(service);
      const archive = await createArchive({
        'a.json': condition('c1', 'Asthma'),
        'b.json': condition('c2', HARD),
        'letter.txt': `A letter. ${HARD}`,
      });
      const { status } = await upload(service, patient, archive);
      assert.match(status, /^completed/);
      const { db } = source;
      const { clock } = service;
      const keys = createSigningKeys({ db, clock });
      await sealAll(
        { db, clock, keys, baseUrl: ENVIRONMENT.CHARTGATE_BASE_URL },
        new AbortController().signal,
      );
      answer = getToolText(await callTool(service, patient, 'get_conditions'));
    });
    after(() => service.stop());

    it('is of one moment, while others read and write', async () => {
      const done = new AbortController();
      const readers = Array.from({ length: 3 }, async () => {
        while (!done.signal.aborted)
          assert.equal((await callTool(service, patient, 'get_conditions')).status, 200);
      });
      manifest = await writeBackup({ db: service.store.db, clock: service.clock }, file);
      done.abort();
      await Promise.all(readers);
      assert.equal(fs.statSync(file).mode & 0o777, 0o600);
      assert.ok(!fs.existsSync(`${file}.partial`));
      await assert.rejects(
        writeBackup({ db: source.db, clock: service.clock }, file),
        /exists; a backup never/,
      );
    });

    it(`restores into the ${to} store: the same rows, tokens go on, the audit log is sound`, async () => {
      const target = await openTestStore(to);
      const restored = await restoreBackup(target.db, file);
      assert.deepEqual(restored, manifest);
      const again = await writeBackup(
        { db: target.db, clock: service.clock },
        path.join(target.dataDirectory, 'again.zip'),
      );
      assert.deepEqual(listCounts(again), listCounts(manifest));
      assert.deepEqual(
        again.tables.filter((table, index) => table.digest !== manifest.tables[index]?.digest),
        [],
      );
      const node = await startNode(target);
      try {
        const { status, body } = await callTool(node, patient, 'get_conditions');
        assert.equal(status, 200);
        assert.equal(body.result.content[0].text, answer);
        const keys = await importVerifyingKeys(await listAllSigningKeys(target.db));
        const verified = await verifyStore({ db: target.db, keys }, null);
        assert.equal(verified.fault, null);
        assert.ok(verified.entries > 0);
        const later = await upload(node, patient, await createArchive({ 'd.json': condition('c4', 'Gout') }));
        assert.deepEqual([later.status, later.resources.created], ['completed', 1]);
      } finally {
        await node.stop();
      }
    });
  });

describe('a store that is restored', () => {
  let store: TestStore;
  let file: string;
  before(async () => {
    store = await openTestStore('postgresql');
    await store.db.query(sql`insert into organization (organization_id, name, created_at)
      values ('11111111-1111-4111-8111-111111111111', 'Clinic', now())`);
    file = path.join(store.dataDirectory, 'backup.zip');
    await writeBackup({ db: store.db, clock: { now: () => new Date() } }, file);
  });
  after(() => store.remove());

  const write = async (name: string, files: Record<string, string>): Promise<string> => {
    const bytes = await createArchive(files);
    return damage(name, () => bytes);
  };

  /** Returns the members of the backup, in which the table of organizations holds something else, also by its manifest. */
  const withOrganization = async (
    change: (line: string) => string,
    describe: (digest: ReturnType<typeof createRowDigest>) => object = () => ({}),
  ): Promise<Record<string, string>> => {
    const members = await readMembers(file);
    const lines = change(members['tables/organization.jsonl'] ?? '');
    const digest = createRowDigest();
    for (const line of lines.split('\n').filter((each) => /^".*"$/.test(each))) digest.add(JSON.parse(line));
    const manifest = JSON.parse(members['manifest.json'] ?? '') as Manifest;
    const tables = manifest.tables.map((table) =>
      table.name === 'organization' ? { ...table, ...describe(digest) } : table,
    );
    return {
      ...members,
      'tables/organization.jsonl': lines,
      'manifest.json': JSON.stringify({ ...manifest, tables }),
    };
  };

  const damage = (name: string, change: (bytes: Buffer) => Buffer): string => {
    const damaged = path.join(store.dataDirectory, `${name}.zip`);
    fs.writeFileSync(damaged, change(fs.readFileSync(file)));
    return damaged;
  };

  it('has to be empty', async () => {
    await assert.rejects(restoreBackup(store.db, file), /the store is not empty/);
  });

  it('stays empty where the backup is cut off, damaged, of something else or of a newer program', async () => {
    const target = await openTestStore('postgresql');
    const newer = {
      format: 1,
      takenAt: '2026-01-01T00:00:00.000Z',
      engine: 'embedded',
      tables: [],
      migrations: [{ name: '9999-later.sql', checksum: 'x' }],
    };
    const older = { ...newer, migrations: (await readMigrations()).slice(0, -1).map(nameApplied) };
    for (const [name, expected] of [
      [path.join(store.dataDirectory, 'absent.zip'), /cannot be read \(ENOENT\)/],
      [damage('cut', (bytes) => bytes.subarray(0, bytes.length - 40)), /no backup, or it is cut off/],
      [await write('other', { 'a.txt': 'a' }), /no backup of Chartgate/],
      [
        await write('later', { 'manifest.json': JSON.stringify({ ...newer, format: 2 }) }),
        /form 2, which a later/,
      ],
      [
        await write('newer', { 'manifest.json': JSON.stringify(newer) }),
        /of a newer Chartgate \(9999-later\.sql\)/,
      ],
      [await write('older', { 'manifest.json': JSON.stringify(older) }), /tables of a later version/],
      [
        await write('altered', await withOrganization((row) => row.replace('Clinic', 'Clinix'))),
        /damaged: table organization/,
      ],
    ] as const)
      await assert.rejects(restoreBackup(target.db, name), expected);
    assert.equal(await countOrganizations(target), 0);
    await target.remove();
  });

  it('stays empty where the backup is crafted, and says so without quoting it (case 337)', async () => {
    const target = await openTestStore('postgresql');
    const members = await readMembers(file);
    const manifest = JSON.parse(members['manifest.json'] ?? '') as Manifest;
    const withManifest = (change: object) => ({
      ...members,
      'manifest.json': JSON.stringify({ ...manifest, ...change }),
    });
    const counted = (digest: ReturnType<typeof createRowDigest>) => ({
      rows: digest.rows,
      digest: digest.digest,
    });
    const [first] = manifest.tables;
    const organization = /damaged: table organization/;
    const ofForm = /its manifest has not the form/;
    const ofTables = /tables are not those of its schema/;
    const ofTwice = /lists a table twice/;
    const ofMembers = /list of members/;
    const patch = (name: string, from: string, to: string): string =>
      damage(name, (bytes) => Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1'));
    const crafted: (readonly [string, RegExp])[] = [
      [await write('no-json', { ...members, 'manifest.json': '{"format":1' }), /its manifest is not/],
      [await write('bomb', { 'manifest.json': ' '.repeat(5_000_000) }), /its manifest is not/],
      [await write('null', { 'manifest.json': 'null' }), ofForm],
      [await write('types', withManifest({ tables: { length: 1 } })), ofForm],
      [await write('negative', withManifest({ tables: [{ ...first, rows: -1 }] })), ofForm],
      [await write('quotes', withManifest({ tables: [{ ...first, name: 'a" cascade; --' }] })), ofForm],
      [await write('escapes', withManifest({ takenAt: '\u001b[2J' })), ofForm],
      [await write('names', withManifest({ migrations: [{ name: '\u001b[2J', checksum: '' }] })), ofForm],
      [await write('foreign', withManifest({ tables: [{ ...first, name: 'pg_authid' }] })), ofTables],
      [await write('fewer', withManifest({ tables: manifest.tables.slice(1) })), ofTables],
      [await write('twice', withManifest({ tables: [...manifest.tables, first] })), ofTwice],
      [patch('same-names', 'tables/notice_settings.jsonl', 'tables/account_session.jsonl'), ofMembers],
      [patch('upwards', 'tables/member.jsonl', '../../member.jsonl'), ofMembers],
      [await write('row', await withOrganization(() => '"(no-uuid,secret)"\n', counted)), organization],
      [await write('nul', await withOrganization(() => '"a\\u0000b"\n', counted)), organization],
      [await write('number', await withOrganization(() => '1\n', counted)), organization],
      [
        await write(
          'more',
          await withOrganization(
            (line) => line + line,
            () => ({ rows: 1 }),
          ),
        ),
        organization,
      ],
      [await write('double', await withOrganization((line) => line + line, counted)), organization],
      [patch('method', 'PK\x01\x02', 'PK\x01\x03'), ofMembers],
    ];
    for (const [name, expected] of crafted)
      await assert.rejects(restoreBackup(target.db, name), (error: Error) => {
        assert.ok(error instanceof BackupError, `${name}: ${error.stack}`);
        assert.match(error.message, expected, name);
        assert.doesNotMatch(error.message, /secret|\p{Cc}/u);
        return true;
      });
    assert.equal(await countOrganizations(target), 0);
    await target.remove();
  });
});

describe('a backup of later months than the store', () => {
  const organizationId = '11111111-1111-4111-8111-111111111111';
  const later = new Date('2044-05-05T12:00:00Z');
  const tables = ['audit_entry', 'webhook_event', 'webhook_attempt'] as const;
  let source: TestStore;
  let file: string;
  before(async () => {
    source = await openTestStore('postgresql');
    file = path.join(source.dataDirectory, 'later.zip');
    const { db } = source;
    const clock = { now: () => later };
    await db.query(sql`insert into organization (organization_id, name, created_at)
        values (${organizationId}, 'Clinic', now())`);
    await createAuditLog({ db, clock }).append({
      organizationId: organizationId as OrganizationId,
      action: 'webhook.tested',
      actor: { kind: 'system', id: 'test' },
    });
    const eventId = generateEventId(later);
    await db.query(sql`
        insert into webhook_event (organization_id, event_id, project_id, type, occurred_at, data)
        values (${organizationId}, ${eventId}, ${organizationId}, 'webhook.test', ${later}, '{}')`);
    await db.query(sql`
        insert into webhook_attempt (organization_id, webhook_id, event_id, attempt_id, delivery_attempt, attempted_at, duration_ms, url)
        values (${organizationId}, ${organizationId}, ${eventId}, ${organizationId}, 1, ${later}, 1, 'https://receiver.example')`);
    await writeBackup({ db, clock }, file);
  });
  after(() => source.remove());

  for (const engine of ['postgresql', 'embedded'] as const)
    it(`is restored with its months, into ${engine}`, async () => {
      const target = await openTestStore(engine);
      await restoreBackup(target.db, file);
      for (const table of tables) {
        const names = (await listPartitions(target.db, [table])).map(({ name }) => name);
        assert.deepEqual(names.slice(-1), [`${table}_2044_05`]);
        assert.equal((await target.db.query(raw(`select from only ${table}_2044_05`))).length, 1);
      }
      await target.remove();
    });

  it('leaves none of them behind where it is damaged, and says what is left', async () => {
    const target = await openTestStore('postgresql', { isEmpty: true });
    const members = await readMembers(file);
    const damaged = path.join(source.dataDirectory, 'damaged.zip');
    const rows = members['tables/webhook_event.jsonl'] ?? '';
    fs.writeFileSync(
      damaged,
      await createArchive({ ...members, 'tables/webhook_event.jsonl': rows.replace('webhook.test', 'x') }),
    );
    await assert.rejects(
      restoreBackup(target.db, damaged),
      /the backup is damaged: table webhook_event is .*\. No row is in the store; its tables are there/,
    );
    for (const table of tables) assert.equal((await listPartitions(target.db, [table])).length, 1);
    await restoreBackup(target.db, file);
    await target.remove();
  });
});

describe('a backup that a program of another schema writes', () => {
  const clock = { now: () => new Date() };
  let store: TestStore;
  let file: string;
  before(async () => {
    store = await openTestStore('postgresql', { isNew: true });
    await createAuditLog({ db: store.db, clock }).append({
      organizationId: '11111111-1111-4111-8111-111111111111' as OrganizationId,
      action: 'webhook.tested',
      actor: { kind: 'system', id: 'test' },
    });
    file = path.join(store.dataDirectory, 'backup.zip');
    await writeBackup({ db: store.db, clock }, file);
  });
  after(() => store.remove());

  /** Writes the backup anew as a program of before partitions does: each partition is a table. */
  async function writeOldShape(name: string, first = 'audit_entry_first'): Promise<string> {
    const { 'tables/audit_entry.jsonl': rows = '', ...members } = await readMembers(file);
    const { program: _, ...manifest } = JSON.parse(members['manifest.json'] ?? '') as Manifest;
    const tables = manifest.tables.flatMap((table) =>
      table.name === 'audit_entry'
        ? [
            { ...table, name: 'audit_entry_2027_01' },
            { name: first, rows: 0, digest: createRowDigest().digest },
          ]
        : table,
    );
    const old = path.join(store.dataDirectory, name);
    fs.writeFileSync(
      old,
      await createArchive({
        ...members,
        'tables/audit_entry_2027_01.jsonl': rows,
        [`tables/${first}.jsonl`]: '',
        'manifest.json': JSON.stringify({ ...manifest, tables }),
      }),
    );
    return old;
  }

  it('is not written of a newer store', async (t) => {
    await store.db.query(sql`insert into migration values ('9999-later.sql', 'x', now())`);
    t.after(() => store.db.query(sql`delete from migration where name = '9999-later.sql'`));
    const name = path.join(store.dataDirectory, 'newer.zip');
    await assert.rejects(writeBackup({ db: store.db, clock }, name), {
      code: 'backup',
      message: /by a newer Chartgate \(9999-later\.sql\), whose tables .*; back up with that version/,
    });
    assert.ok(!fs.existsSync(name) && !fs.existsSync(`${name}.partial`));
  });

  it('is restored where it lists partitions as tables', async (t) => {
    const target = await openTestStore('postgresql');
    t.after(() => target.remove());
    await restoreBackup(target.db, await writeOldShape('old.zip'));
    const rows = await target.db.query(sql<{ action: string }>`select action from audit_entry`);
    assert.deepEqual(rows, [{ action: 'webhook.tested' }]);
  });

  it('is refused by the names of tables that its schema has not', async (t) => {
    const target = await openTestStore('postgresql');
    t.after(() => target.remove());
    await assert.rejects(restoreBackup(target.db, await writeOldShape('other.zip', 'audit_entry_else')), {
      code: 'backup',
      message:
        /not those of its schema \(\d{4}-[\w-]+\.sql\): it has audit_entry_else, .* a Chartgate that does not say which; .* back up again with the program that serves/,
    });
    await assert.rejects(restoreBackup(target.db, await writeOldShape('twice.zip', 'audit_entry')), {
      message: /lists a table twice/,
    });
  });
});

const countOrganizations = async ({ db }: TestStore): Promise<number> =>
  (await db.query(sql`select from organization`)).length;

const nameApplied = ({ name }: Migration): Manifest['migrations'][number] => ({ name, checksum: 'x' });

async function readMembers(file: string): Promise<Record<string, string>> {
  const zip = await openPromise(file, { autoClose: false });
  const members: Record<string, string> = {};
  for await (const entry of zip.eachEntry())
    members[entry.fileName] = Buffer.concat(
      await (await zip.openReadStreamPromise(entry)).toArray(),
    ).toString();
  zip.close();
  return members;
}

const listSnapshots = (folder: string): string[] =>
  fs.readdirSync(folder).filter((name) => name.startsWith('store-snapshot'));

describe('a backup that cannot be written', () => {
  for (const engine of ['postgresql', 'embedded'] as const)
    it(`names the path and the cause, and leaves nothing behind: ${engine}`, async (t) => {
      const store = await openTestStore(engine);
      t.after(() => store.remove());
      const clock = { now: () => new Date() };
      const absent = path.join(store.dataDirectory, 'absent', 'b.zip');
      await assert.rejects(writeBackup({ db: store.db, clock }, absent), {
        message: `${absent} cannot be written: the folder does not exist (ENOENT)`,
      });
      const name = path.join(store.dataDirectory, 'b.zip');
      // The only file that always is on a full disk.
      const handle = await open('/dev/full', 'w');
      t.after(() => handle.close());
      const full = { name, partial: '', handle };
      await assert.rejects(writeBackupInto({ db: store.db, clock }, full), {
        message: `${name} cannot be written: the disk is full (ENOSPC)`,
      });
      const signal = AbortSignal.abort(new BackupError('interrupted'));
      await assert.rejects(writeBackup({ db: store.db, clock, signal }, name), { message: 'interrupted' });
      assert.ok(!fs.existsSync(name) && !fs.existsSync(`${name}.partial`));
      const { tables } = await writeBackup({ db: store.db, clock }, name);
      assert.ok(tables.length > 0, 'the store serves on');
    });
});

describe('a copy of a served store', () => {
  it('says once that the disk is full, what it needs and what is free', async (t) => {
    const disk = mountSmallDisk(8);
    if (disk === null) return t.skip('this user may not mount');
    t.after(() => disk.remove());
    const store = path.join(disk.folder, 'store');
    fs.mkdirSync(path.join(store, 'base'), { recursive: true });
    fs.writeFileSync(path.join(store, 'base', '1'), Buffer.alloc(5 * 1024 * 1024));
    const copy = async (folder: string): Promise<void> => copyTree(store, folder);
    const server = await listenForSnapshots(disk.folder, copy);
    t.after(() => server?.close());
    await assert.rejects(requestServedSnapshot(disk.folder), {
      code: 'backup',
      message: `the store could not be copied: the disk of ${disk.folder} is full: a copy needs 5 MiB, and 3 MiB are free`,
    });
    assert.deepEqual(listSnapshots(disk.folder), []);
  });

  it('is deleted when whoever asked for it ends, however', async (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-snapshots-'));
    t.after(() => fs.rmSync(folder, { recursive: true }));
    const server = await listenForSnapshots(folder, async (name) => fs.mkdirSync(name));
    t.after(() => server?.close());
    // It ends as one that was killed does: its files stay, its connection goes.
    const socket = net.connect({ path: path.join(folder, 'owner.sock'), allowHalfOpen: true });
    socket.write('keep');
    socket.resume();
    await once(socket, 'end');
    assert.equal(listSnapshots(folder).length, 1);
    socket.destroy();
    while (listSnapshots(folder).length > 0) await sleep(5);
  });
});

describe('chartgate backup and restore', () => {
  it('copy the embedded store while another has it, and fill an empty folder', async () => {
    const store = await openTestStore('embedded');
    const server = await listenForSnapshots(store.dataDirectory, store.db.snapshot ?? assert.fail);
    const service = await startTestService({ store });
    try {
      await newTestPatient(service);
      const environment = { CHARTGATE_DATA_DIR: store.dataDirectory, CHARTGATE_LOG_LEVEL: 'error' };
      const file = path.join(store.dataDirectory, 'backup.zip');
      const written = await runCommand(['backup', file, '--json'], { environment });
      assert.deepEqual([written.code, written.stderr], [0, '']);
      assert.deepEqual(listSnapshots(store.dataDirectory), []);
      const empty = path.join(store.dataDirectory, 'empty');
      copyEmbeddedTemplate(empty);
      const restored = await runCommand(['restore', file, '--json'], {
        environment: { ...environment, CHARTGATE_DATA_DIR: empty },
      });
      assert.deepEqual([restored.code, restored.stderr], [0, '']);
      assert.equal(JSON.parse(restored.stdout).rows, JSON.parse(written.stdout).rows);
      await waitUntilServing(service);
    } finally {
      await server?.close();
      await service.stop();
    }
  });
});
