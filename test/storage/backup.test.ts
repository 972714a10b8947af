import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openPromise } from 'yauzl';
import { readMigrations, type Migration } from '../../server/platform/db/migrate.ts';
import { restoreBackup } from '../../server/platform/backup/restore-backup.ts';
import { listenForSnapshots } from '../../server/platform/backup/snapshot-socket.ts';
import { writeBackup } from '../../server/platform/backup/write-backup.ts';
import type { Manifest } from '../../server/platform/backup/backup-format.ts';
import { verifyStore } from '../../server/platform/audit/verify-store.ts';
import { sealAll } from '../../server/platform/audit/seal.ts';
import { createSigningKeys, listAllSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import { importVerifyingKeys } from '../../server/platform/keys/verifying-keys.ts';
import { raw, sql, type Sql } from '../../server/platform/db/sql.ts';
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
      takenAt: '',
      engine: 'embedded',
      tables: [],
      migrations: [{ name: '9999-later.sql', checksum: 'x' }],
    };
    const older = { ...newer, migrations: (await readMigrations()).slice(0, -1).map(nameApplied) };
    const write = async (name: string, files: Record<string, string>): Promise<string> => {
      const bytes = await createArchive(files);
      return damage(name, () => bytes);
    };
    for (const [name, expected] of [
      [path.join(store.dataDirectory, 'absent.zip'), /cannot be read \(ENOENT\)/],
      [damage('cut', (bytes) => bytes.subarray(0, bytes.length - 40)), /no backup, or it is cut off/],
      [await write('other', { 'a.txt': 'a' }), /no backup of Chartgate/],
      [await write('later', { 'manifest.json': JSON.stringify({ ...newer, format: 2 }) }), /use a later one/],
      [
        await write('newer', { 'manifest.json': JSON.stringify(newer) }),
        /of a newer Chartgate \(9999-later\.sql\)/,
      ],
      [await write('older', { 'manifest.json': JSON.stringify(older) }), /tables of a later version/],
      [await write('altered', await withOtherName(file)), /damaged: table organization/],
    ] as const)
      await assert.rejects(restoreBackup(target.db, name), expected);
    const [{ found } = { found: true }] = await target.db.query(
      raw('select exists (select from organization) as found') as Sql<{ found: boolean }>,
    );
    assert.equal(found, false);
    await target.remove();
  });
});

const nameApplied = ({ name }: Migration): Manifest['migrations'][number] => ({ name, checksum: 'x' });

/** The backup as it was written, but that its organization has another name. */
async function withOtherName(file: string): Promise<Record<string, string>> {
  const zip = await openPromise(file, { autoClose: false });
  const members: Record<string, string> = {};
  for await (const entry of zip.eachEntry())
    members[entry.fileName] = Buffer.concat(
      await (await zip.openReadStreamPromise(entry)).toArray(),
    ).toString();
  zip.close();
  members['tables/organization.jsonl'] = (members['tables/organization.jsonl'] ?? '').replace(
    'Clinic',
    'Clinix',
  );
  return members;
}

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
      assert.deepEqual(
        fs.readdirSync(store.dataDirectory).filter((name) => name.startsWith('store-snapshot')),
        [],
      );
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
