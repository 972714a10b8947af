import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { OrganizationId, PatientId } from '../contract/brands.ts';
import { createAuditLog } from '../server/platform/audit/append.ts';
import { exportSlice } from '../server/platform/audit/export-slice.ts';
import { createSigningKeys } from '../server/platform/keys/signing-keys.ts';
import { systemClock as clock } from '../server/platform/kernel/clock.ts';
import { generateId } from '../server/platform/kernel/ids.ts';
import { lockDirectory } from '../server/platform/db/directory-lock.ts';
import { sql } from '../server/platform/db/sql.ts';
import { runCommand } from './harness/cli.ts';
import { runNode, type ExitResult } from './harness/process.ts';
import { openTestStore, type TestStore } from './harness/store.ts';
import { PROGRAM } from './harness/program.ts';

describe('chartgate audit verify', () => {
  let store: TestStore;
  const [organizationId, patientId] = [generateId<OrganizationId>(), generateId<PatientId>()];
  let slice: string;
  let keys: string;
  before(async () => {
    store = await openTestStore('postgresql');
    const { db } = store;
    const audit = createAuditLog({ db, clock });
    const entry = {
      organizationId,
      patientId,
      action: 'webhook.tested',
      actor: { kind: 'system', id: 'test' },
    } as const;
    await audit.writeAll(db, [entry, entry, entry]);
    slice = path.join(store.dataDirectory, 'slice.ndjson');
    keys = path.join(store.dataDirectory, 'keys.json');
    const deps = { db, clock, keys: createSigningKeys({ db, clock }), baseUrl: 'https://chartgate.example' };
    fs.writeFileSync(
      slice,
      (await Array.fromAsync(exportSlice(deps, { patientId, decision: null }))).join(''),
    );
    await audit.append(entry);
    fs.writeFileSync(keys, (await runCommand(['audit keys'], { environment: getEnvironment() })).stdout);
  });
  after(() => store.remove());

  const getEnvironment = (databaseUrl = store.databaseUrl ?? ''): Record<string, string> => ({
    DATABASE_URL: databaseUrl,
    CHARTGATE_DATA_DIR: store.dataDirectory,
    CHARTGATE_LOG_LEVEL: 'error',
  });
  const chartgate = (args: string): Promise<ExitResult> =>
    runNode(PROGRAM, args.split(' '), { environment: getEnvironment() });
  const verify = (args: string, databaseUrl?: string): Promise<ExitResult> =>
    runCommand(['audit verify', ...args.split(' ').filter(Boolean)], {
      environment: getEnvironment(databaseUrl),
    });

  it('says that it has no keys where the store is another, instead of calling a file altered', async (t) => {
    const directory = fs.mkdtempSync(path.join(store.dataDirectory, 'elsewhere-'));
    t.after(() => fs.rmSync(directory, { recursive: true, force: true }));
    const environment = { CHARTGATE_DATA_DIR: directory, CHARTGATE_LOG_LEVEL: 'error' };
    const { code, stdout, stderr } = await runCommand(['audit verify', slice], { environment });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /has no keys: .*--keys FILE/);
    const missing = await runCommand(['audit verify', `${slice}.none`], { environment });
    assert.deepEqual([missing.code, missing.stdout], [1, '']);
    assert.match(missing.stderr, /ENOENT/, 'the file is what is missing');
  });

  it('says to name the keys where a service has their store open', async (t) => {
    const directory = fs.mkdtempSync(path.join(store.dataDirectory, 'open-'));
    fs.mkdirSync(path.join(directory, 'store'));
    fs.writeFileSync(path.join(directory, 'store', 'PG_VERSION'), '');
    const lock = lockDirectory(directory);
    t.after(() => {
      lock.release();
      fs.rmSync(directory, { recursive: true, force: true });
    });
    const environment = { CHARTGATE_DATA_DIR: directory, CHARTGATE_LOG_LEVEL: 'error' };
    for (const command of ['audit verify', 'receipt verify']) {
      const { code, stderr } = await runCommand([command, slice], { environment });
      assert.equal(code, 1);
      assert.match(stderr, /another Chartgate process has open.*--keys FILE/, command);
    }
  });

  it('ends with 0 where all is as it was written, and says how much was checked', async () => {
    const { code, stdout, stderr } = await verify('');
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(
      stdout,
      'Checked 3 entries in 1 blocks of 1 organizations; 1 more are not sealed yet.\nThe log is as it was written.\n',
    );
    const json = await verify(`--json --organization ${organizationId}`);
    const { checkpoints, ...rest } = JSON.parse(json.stdout) as Record<string, unknown>;
    assert.deepEqual(rest, {
      sound: true,
      organizations: 1,
      blocks: 1,
      entries: 3,
      unsealed: 1,
      compared: 0,
      dropped: [],
      fault: null,
    });
    assert.equal((checkpoints as string[]).length, 1);
  });

  it('checks an exported slice by a file of keys alone, without a store', async () => {
    const { code, stdout, stderr } = await verify(`${slice} --keys ${keys}`, 'postgres://nowhere.invalid/x');
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^Proven: 3 entries about patient /);
    assert.equal((await verify(slice)).code, 0);
    const altered = `${slice}.altered`;
    fs.writeFileSync(altered, fs.readFileSync(slice, 'utf8').replace('webhook.tested', 'test.gone'));
    const found = await verify(`${altered} --keys ${keys} --json`);
    const { sound, fault } = JSON.parse(found.stdout) as {
      sound: boolean;
      fault: { what: string; line: number };
    };
    assert.deepEqual([found.code, sound, fault.what, fault.line], [1, false, 'content', 3]);
    const other = await verify(`${keys} --keys ${keys}`);
    assert.equal(other.code, 1);
    assert.match(
      other.stdout,
      /^This is no export of the log \(line 1 is no line of an exported slice\)\.$/m,
    );
  });

  it('prints keys as one JSON object, with --json as without', async () => {
    const { code, stdout, stderr } = await runCommand(['audit keys', '--json'], {
      environment: getEnvironment(),
    });
    assert.deepEqual([code, stderr, stdout], [0, '', fs.readFileSync(keys, 'utf8')]);
  });

  it('takes checkpoints that were kept, and says how many of them the log still holds', async () => {
    const { code, stdout } = await verify(`--checkpoints ${slice}`);
    assert.equal(code, 0);
    assert.match(stdout, /^The log holds the 1 checkpoints that were kept\.$/m);
    const { code: none, stderr } = await verify(`--checkpoints ${keys}`);
    assert.equal(none, 1);
    assert.match(stderr, /holds no checkpoint/);
  });

  it('says what is wrong with what it was given', async () => {
    for (const [args, reason] of [
      ['--organization clinic', /--organization must be a UUID/],
      [`--organization ${generateId()}`, /The organization does not exist/],
      [`${slice} --organization ${organizationId}`, /are for the log of the store/],
      [`${slice} --keys ${slice}`, /is no JSON Web Key Set/],
      [`${slice}.none`, /ENOENT/],
    ] as const) {
      const { code, stdout, stderr } = await verify(args);
      assert.deepEqual([code, stdout], [1, ''], args);
      assert.match(stderr, reason);
    }
  });

  it('ends with 1 and names the first altered entry', async () => {
    const [row] = await store.db.query(sql<{ entry_id: string }>`
      update audit_entry set actor_id = 'nobody' where place = 1 returning entry_id`);
    await store.db.query(sql`update audit_entry set actor_id = 'nobody' where place = 2`);
    const { code, stdout } = await chartgate('audit verify');
    assert.equal(code, 1);
    const line = `ALTERED \\(content\\): organization ${organizationId}, entry ${row?.entry_id} of \\S+Z, block 1, place 1: is not what was sealed\\.`;
    assert.match(stdout, new RegExp(line));
    const json = await verify('--json');
    assert.equal(json.code, 1);
    assert.equal((JSON.parse(json.stdout) as { fault: { entryId: string } }).fault.entryId, row?.entry_id);
  });
});
