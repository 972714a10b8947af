import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { VERSION } from '../contract/version.ts';
import type { Db } from '../server/platform/db/db.ts';
import { migrate, readMigrations } from '../server/platform/db/migrate.ts';
import { openDb } from '../server/platform/db/open.ts';
import { openPostgres } from '../server/platform/db/postgres.ts';
import { sql } from '../server/platform/db/sql.ts';
import { configureCommand, runCommand } from './harness/cli.ts';
import { findFreePort } from './harness/postgres.ts';
import { ROOT, runNode, type ExitResult } from './harness/process.ts';
import { copyEmbeddedTemplate, createDatabase, openTestStore, type TestStore } from './harness/store.ts';
import { storeFolder } from './harness/store-folder.ts';
import { PROGRAM, UNPREPARED } from './harness/program.ts';

const UUID = /^"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"$/;
const COMMANDS = [
  'init',
  'serve',
  'migrate',
  'demo',
  'doctor',
  'audit',
  'audit verify',
  'backup',
  'audit keys',
  'api-keys',
  'api-keys list',
  'api-keys create',
  'api-keys rotate',
  'api-keys revoke',
  'members',
  'members list',
  'members invite',
  'members reset',
  'jobs',
  'jobs retry',
  'read-again',
  'keys',
  'keys rotate',
  'receipt',
  'receipt verify',
  'reindex',
  'restore',
  'generate-record',
  'listen',
  'objects',
  'objects move',
  'objects verify',
];

let folder: string;
/** An embedded store, of the commands that run in a process of their own. */
let data: string;
/** On PostgreSQL, of the commands in this process: opening an embedded one for each would cost ten times as much. */
let store: TestStore;
before(async () => {
  folder = fs.mkdtempSync(path.join(storeFolder(), 'chartgate-cli-'));
  data = path.join(folder, 'data');
  // What `migrate` would take two seconds to make.
  copyEmbeddedTemplate(data);
  store = await openTestStore();
});
after(async () => {
  await store.remove();
  fs.rmSync(folder, { recursive: true, force: true });
});

const chartgate = (args: string, environment: Record<string, string> = {}): Promise<ExitResult> =>
  runNode(PROGRAM, args.split(' '), {
    cwd: folder,
    environment: { CHARTGATE_DATA_DIR: data, CHARTGATE_LOG_LEVEL: 'error', ...environment },
  });

const chartgateHere = (args: string): Promise<ExitResult> =>
  runCommand(splitArguments(args), {
    cwd: folder,
    environment: { ...listSettings(), CHARTGATE_LOG_LEVEL: 'error' },
  });

const chartgateEmbedded = (args: string): Promise<ExitResult> =>
  runCommand(splitArguments(args), {
    cwd: folder,
    environment: { CHARTGATE_DATA_DIR: data, CHARTGATE_LOG_LEVEL: 'error' },
  });

const findNewest = async (): Promise<string> => (await readMigrations()).at(-1)?.name ?? '';

const listSettings = (): Record<string, string> => ({
  CHARTGATE_DATA_DIR: store.dataDirectory,
  DATABASE_URL: store.databaseUrl ?? '',
});

/** The name of the command, which may be two words, first. */
function splitArguments(args: string): string[] {
  const words = args.split(' ');
  const name = COMMANDS.filter((command) => `${args} `.startsWith(`${command} `)).at(-1) ?? '';
  return [name, ...words.slice(name.split(' ').length)];
}

/** The one JSON object that `--json` prints, and nothing else. */
async function json(args: string, run = chartgateHere): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run(`${args} --json`);
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(stdout.trimEnd().split('\n').length, 1);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('every command', () => {
  it('is imported when it runs, so that --help loads no server', () => {
    const source = fs.readFileSync(path.join(ROOT, 'cli/main.ts'), 'utf8');
    const imported = [...source.matchAll(/^import .* from '([^']+)';$/gm)].map(([, name]) => name);
    assert.deepEqual(imported, ['commander', '../contract/version.ts', '../server/compile-cache.ts']);
    const cache = fs.readFileSync(path.join(ROOT, 'server/compile-cache.ts'), 'utf8');
    const itsOwn = [...cache.matchAll(/^import .* from '([^']+)';$/gm)].map(([, name]) => name);
    assert.deepEqual(itsOwn, ['node:module', 'node:path'], 'which loads nothing of ours');
  });

  it('says its version with --version', async () => {
    const { code, stdout } = await chartgate('--version');
    assert.deepEqual([code, stdout], [0, `${VERSION}\n`]);
  });

  it('is listed by --help', async () => {
    const { code, stdout } = await chartgate('--help');
    assert.equal(code, 0);
    const listed = [...stdout.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name as string);
    assert.deepEqual(
      listed.filter((name) => name !== 'help').sort(),
      COMMANDS.filter((name) => !name.includes(' ')).sort(),
    );
  });

  it('says how it is used with --help, without touching the store', async () => {
    const untouched = path.join(folder, 'untouched');
    for (const command of ['init', 'audit verify']) {
      const { code, stdout, stderr } = await chartgate(`${command} --help`, {
        CHARTGATE_DATA_DIR: untouched,
      });
      assert.deepEqual([code, stderr], [0, ''], command);
      assert.equal(stdout, (await configureCommand(command)).helpInformation());
    }
    assert.equal(fs.existsSync(untouched), false);
  });

  for (const name of COMMANDS)
    it(`has a help that begins with how it is called: ${name}`, async () => {
      const help = (await configureCommand(name)).helpInformation();
      assert.ok(help.startsWith(`Usage: chartgate ${name} [options]`), help);
    });

  it('that does not exist, or lacks what it needs, ends with 1 and says where help is', async () => {
    for (const args of ['launch', 'init', 'migrate --fast']) {
      const { code, stdout, stderr } = await chartgate(args);
      assert.deepEqual([code, stdout], [1, ''], args);
      assert.match(stderr, /^error: .*\n\(--help shows what this command takes\)\n$/);
    }
  });

  it('that fails under --json prints an object that says why, and ends with 1', async () => {
    for (const [args, code, message] of [
      ['receipt verify missing.jws --json', 'ENOENT', /no such file/],
      ['init --json', 'commander.missingMandatoryOptionValue', /required option '--organization/],
      ['api-keys list --organization Nobody --json', 'not_found', /organization/],
    ] as const) {
      const answer = await chartgate(args);
      assert.equal(answer.code, 1, args);
      const printed = JSON.parse(answer.stdout) as Record<string, string>;
      assert.deepEqual(Object.keys(printed), ['error', 'code']);
      assert.equal(printed['code'], code);
      assert.match(printed['error'] ?? '', message);
      assert.notEqual(answer.stderr, '');
    }
    assert.deepEqual((await chartgate('receipt verify missing.jws')).stdout, '');
  });

  it('reports all errors of the environment at once and ends with 1', async () => {
    const environment = {
      PORT: 'eighty',
      CHARTGATE_BASE_URL: 'ftp://x',
      CHARTGATE_MCP_RATE_LIMIT: '0',
      SMTP_URL_FILE: '/no/such/file',
    };
    for (const command of ['migrate', 'serve', 'demo --exit']) {
      const { code, stdout, stderr } =
        command !== 'demo --exit'
          ? await chartgate(command, environment)
          : await runCommand(splitArguments(command), { cwd: folder, environment });
      assert.deepEqual([code, stdout], [1, ''], command);
      for (const name of Object.keys(environment))
        assert.match(stderr, new RegExp(`^  ${name} must `, 'm'), command);
    }
  });

  it('says of an embedded store that does not open where it is, and what to do', async () => {
    const damaged = path.join(folder, 'damaged');
    copyEmbeddedTemplate(damaged);
    fs.rmSync(path.join(damaged, 'store', 'base'), { recursive: true });
    const { code, stdout, stderr } = await chartgate('migrate', { CHARTGATE_DATA_DIR: damaged });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /CHARTGATE_DATA_DIR must hold a store that can be opened: .*damaged.store cannot/);
    assert.match(stderr, /restore a backup into an empty folder/);
  });
});

describe('chartgate init', () => {
  it('--json prints exactly the ids and the secrets; a second call says so and creates nothing', async () => {
    const init = 'init --organization Clinic --project Study --admin-email boss@clinic.example';
    // On the embedded store too, where it prints as much.
    const created = await json(init, chartgateEmbedded);
    assert.deepEqual(Object.keys(await json(init)), Object.keys(created));
    const {
      organizationId,
      projectId,
      admin,
      researcher,
      console: login,
    } = created as Record<string, Record<string, string>>;
    assert.deepEqual(Object.keys(created), [
      'organizationId',
      'projectId',
      'admin',
      'researcher',
      'console',
      'mcpUrl',
    ]);
    assert.equal(created['mcpUrl'], `http://127.0.0.1:3000/projects/${String(created['projectId'])}/mcp`);
    assert.match(JSON.stringify(organizationId), UUID);
    assert.match(JSON.stringify(projectId), UUID);
    for (const pair of [admin, researcher])
      assert.deepEqual(Object.keys(pair ?? {}), ['apiKey', 'apiSecret']);
    assert.deepEqual(Object.keys(login ?? {}), ['email', 'password']);
    assert.equal(login?.['email'], 'boss@clinic.example');

    const here = await json('init --organization Clinic --project Study', chartgateEmbedded);
    assert.deepEqual(here, {
      created: false,
      organization: 'Clinic',
      organizationId,
      projectId,
      admin: { apiKey: admin?.['apiKey'] },
      researcher: { apiKey: researcher?.['apiKey'] },
      console: { email: login?.['email'] },
      mcpUrl: created['mcpUrl'],
    });
    assert.deepEqual(await json('init --organization Clinic --project Other', chartgateEmbedded), here);
    const { code, stdout } = await chartgateHere('init --organization Clinic --project Other');
    assert.deepEqual([code, stdout], [0, 'The organization "Clinic" exists already; nothing was created.\n']);
    const count = (db: Db) =>
      db.query(sql<{ keys: number; projects: number }>`
      select (select count(*) from api_key) as keys, (select count(*) from project) as projects`);
    for (const counts of [await count(store.db), await withEmbedded(count)])
      assert.deepEqual(
        counts.map(({ keys, projects }) => [keys, projects]),
        [[2, 1]],
      );
  });

  it('refuses an address of the console login that is none, and creates nothing', async () => {
    const { code, stdout, stderr } = await chartgateHere(
      'init --organization Third --project Study --admin-email boss',
    );
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /--admin-email <email>.*boss.*must be an e-mail address/);
    assert.match(
      (await chartgateHere('init --organization Third --project Study')).stdout,
      /admin@third\.invalid/,
    );
  });

  it('prints for a person without --json, secrets included', async () => {
    const { code, stdout } = await chartgateHere('init --organization Other --project Study');
    assert.equal(code, 0);
    assert.match(stdout, /shown once/);
    assert.match(stdout, /admin key +cgk_\S+ +cgs_\S+/);
    assert.match(stdout, /console login +admin@other\.invalid +\S+/);
  });
});

describe('chartgate api-keys', () => {
  const named = '--organization Clinic';

  it('creates, rotates, revokes and lists keys of an organization, and says so in the audit log', async () => {
    const created = await json(
      `api-keys create ${named} --name Nightly --role researcher --expires-at never`,
    );
    assert.match(String(created['apiSecret']), /^cgs_/);
    assert.deepEqual(
      [created['name'], created['role'], created['state'], created['expiresAt'], created['createdBy']],
      ['Nightly', 'researcher', 'active', null, { kind: 'system', id: 'command-line' }],
    );
    const rotated = await json(`api-keys rotate ${String(created['apiKey'])} ${named} --grace-seconds 0`);
    assert.notEqual(rotated['apiSecret'], created['apiSecret']);
    await json(`api-keys revoke ${String(created['id'])} ${named}`);
    const keys = (await json(`api-keys list ${named}`))['apiKeys'] as Record<string, string>[];
    assert.deepEqual(keys.map(({ role, state }) => `${role} ${state}`).sort(), [
      'admin active',
      'researcher active',
      'researcher revoked',
    ]);
    const last = keys.find(({ role }) => role === 'admin')?.['apiKey'] ?? '';
    const refused = await chartgateHere(`api-keys revoke ${last} ${named}`);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /only admin key/);
    const { stdout } = await chartgateHere(`api-keys revoke ${last} ${named} --even-last`);
    assert.match(stdout, /^cgk_\S+ {2}\S+ {2}admin, revoked, never used, does not expire: Admin key$/m);
    const actions = await store.db.query(
      sql<{
        action: string;
      }>`select action from audit_entry where action like 'api_key.%' order by entry_id`,
    );
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['api_key.created', 'api_key.rotated', 'api_key.revoked', 'api_key.revoked'],
    );
  });

  it('refuses an organization that is not the one, and what the API refuses', async () => {
    for (const [args, said] of [
      ['api-keys list --organization Nowhere', /organization does not exist/],
      [`api-keys rotate cgk_nobody ${named}`, /API key does not exist/],
      [`api-keys create ${named} --name Other --role owner`, /role: /],
      [`api-keys create ${named} --name Other --role admin --project ${'0'.repeat(8)}`, /projectIds/],
    ] as const) {
      const { code, stderr } = await chartgateHere(args);
      assert.equal(code, 1, args);
      assert.match(stderr, said);
    }
  });
});

describe('chartgate members', () => {
  it('invites, resets and lists members, and prints each secret once', async () => {
    const invited = await json('members invite Ana@clinic.example --role owner --organization Clinic');
    assert.deepEqual([invited['email'], invited['role']], ['ana@clinic.example', 'owner']);
    assert.match(String(invited['token']), /^[\w-]{43}$/);
    const { code, stdout } = await chartgateHere('members reset boss@clinic.example --organization Clinic');
    assert.equal(code, 0);
    assert.match(stdout, /^ {2}http:\/\/[^/]+\/console\/invitation#[\w-]{43}$/m);
    const { members } = await json('members list --organization Clinic');
    assert.deepEqual(
      (members as Record<string, unknown>[]).map(({ email, role, hasFactor }) => [email, role, hasFactor]),
      [['boss@clinic.example', 'owner', false]],
    );
    for (const [args, said] of [
      ['members reset nobody@clinic.example --organization Clinic', /member does not exist/],
      ['members invite x@clinic.example --role boss --organization Clinic', /role: /],
    ] as const)
      assert.match((await chartgateHere(args)).stderr, said);
  });
});

describe('a command that works on what is stored', () => {
  it('ends with 1 where no store was ever made, and makes none', async (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-cli-'));
    t.after(() => fs.rmSync(folder, { recursive: true }));
    const none = path.join(folder, 'none');
    const backup = path.join(folder, 'b.zip');
    for (const args of ['audit verify', 'jobs', 'objects', 'reindex', 'keys rotate', `backup ${backup}`]) {
      const { code, stdout, stderr } = await runCommand(args.split(' '), {
        environment: { CHARTGATE_DATA_DIR: none },
      });
      assert.deepEqual([code, stdout], [1, ''], args);
      assert.match(stderr, /^chartgate: CHARTGATE_DATA_DIR \(.*none\) holds no store of Chartgate\./, args);
    }
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  it('ends with 1 where the database has none, and changes nothing there', async () => {
    const environment = { DATABASE_URL: await createDatabase({ template: 'template0' }) };
    for (let times = 0; times < 2; times++) {
      const { code, stderr } = await runCommand(['jobs'], { environment });
      assert.equal(code, 1);
      assert.match(stderr, /^chartgate: The database of DATABASE_URL holds no store/);
    }
  });
});

describe('chartgate migrate', () => {
  it('--json says which store is up to date', async () => {
    const here = await chartgateEmbedded('migrate --json');
    assert.deepEqual([here.code, here.stderr], [0, '']);
    const unchanged = { upToDate: true, isNew: false, applied: [], newest: await findNewest() };
    assert.deepEqual(JSON.parse(here.stdout), { engine: 'embedded', ...unchanged });
    assert.deepEqual(await json('migrate'), { engine: 'postgresql', ...unchanged });
  });

  it('says what it has applied to an older store, which commands that look leave alone', async () => {
    const migrations = await readMigrations();
    const environment = { DATABASE_URL: await createDatabase({ template: 'template0' }) };
    const older = openPostgres(environment.DATABASE_URL);
    await migrate(older, migrations.slice(0, -3));
    const listApplied = () => older.query(sql<{ name: string }>`select name from migration order by name`);
    const before = await listApplied();
    for (const args of [
      ['jobs'],
      ['audit', 'verify'],
      ['audit', 'keys'],
      ['objects'],
      ['reindex'],
      ['keys', 'rotate'],
    ]) {
      const { code, stdout, stderr } = await runCommand([args.join(' ')], { environment });
      assert.deepEqual([code, stdout], [1, ''], args.join(' '));
      assert.match(
        stderr,
        /^chartgate: the store has the schema of an earlier Chartgate \(\d{4}-.*; it lacks 3 of this one's\).*make a backup, then run "chartgate migrate"/,
      );
    }
    assert.deepEqual(await listApplied(), before);
    const { stdout } = await runCommand(['migrate'], { environment });
    const [first, , last] = migrations.slice(-3).map(({ name }) => name.replace('.sql', ''));
    assert.equal(stdout, `The postgresql store is up to date: applied ${first} to ${last} (3).\n`);
    await older.query(sql`insert into migration values ('9999-later.sql', 'x', now())`);
    const newer = await runCommand(['jobs'], { environment });
    assert.match(
      newer.stderr,
      /by a newer Chartgate \(9999-later\.sql\); use that version or a later one\n$/,
    );
    await older.close();
  });

  it('refuses a data directory that another process uses, with what to do about it', async () => {
    const other = await openDb({ databaseUrl: undefined, dataDirectory: data, onFatal: () => {} });
    try {
      const { code, stdout, stderr } = await chartgate('migrate');
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(
        stderr,
        /^chartgate: The data directory .* is in use by another Chartgate process\. Stop it first\. .*console.*CHARTGATE_DATA_DIR.*\n$/,
      );
    } finally {
      await other.close();
    }
  });
});

describe('chartgate keys rotate', () => {
  it('--json prints the id of the key that signs from now on', async () => {
    const { kid } = await json('keys rotate');
    const rows = await store.db.query(
      sql<{ kid: string }>`select kid from signing_key where state = 'current'`,
    );
    assert.deepEqual(rows, [{ kid }]);
  });

  it('is refused within the life of a token, since it would end those that are in use, but for --force', async () => {
    const refused = await chartgateHere('keys rotate');
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /rotating again would end them.*--force/);
    const { kid: forced } = await json('keys rotate --force');
    await store.db.query(sql`
      update signing_key set created_at = created_at - interval '62 minutes' where state = 'next'`);
    assert.notEqual((await json('keys rotate'))['kid'], forced);
  });
});

describe('chartgate demo', () => {
  it('--exit creates a store in an empty folder and runs the main job there, ends with 0, and reindex then rebuilds the same entries', async () => {
    const played = path.join(folder, 'played');
    const environment = { CHARTGATE_DATA_DIR: played, PORT: String(await findFreePort()) };
    const { code, stdout, stderr } = await chartgate('demo --exit', environment);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^# Health summary$/m);
    assert.match(stdout, /^## Medications/m);
    assert.match(stdout, /^ {2}claude mcp add --transport http chartgate http\S+\/mcp$/m);
    assert.match(
      stdout,
      /claude mcp add --transport http chartgate http\S+\/mcp --header "Authorization: Bearer \S+"/,
    );

    const before = await projection(played);
    assert.ok(before.entries.length > 100);
    const rebuilt = await runCommand(['reindex', '--json'], { cwd: folder, environment });
    assert.deepEqual([rebuilt.code, rebuilt.stderr, JSON.parse(rebuilt.stdout).records], [0, '', 1]);
    assert.deepEqual(await projection(played), before);
  });
});

describe('chartgate serve', () => {
  it('serves until it is asked to stop, then ends with 0', async () => {
    const port = await findFreePort();
    const environment = {
      ...process.env,
      NODE_TEST_CONTEXT: '',
      CHARTGATE_DATA_DIR: data,
      PORT: String(port),
      CHARTGATE_LOG_LEVEL: 'info',
    };
    const child = spawn(process.execPath, [...UNPREPARED, PROGRAM, 'serve'], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    for await (const line of child.stdout as AsyncIterable<Buffer>)
      if (String(line).includes('listens at')) break;
    try {
      // A busy machine may keep the store from answering in time.
      let ready = await fetch(`http://127.0.0.1:${port}/readyz`);
      while (ready.status === 503) ready = await fetch(`http://127.0.0.1:${port}/readyz`);
      assert.deepEqual([ready.status, await ready.json()], [200, { status: 'ready', store: 'embedded' }]);
    } finally {
      child.kill('SIGTERM');
    }
    assert.deepEqual(await ended, [0, null]);
  });
});

async function withEmbedded<T>(work: (db: Db) => Promise<T>, dataDirectory = data): Promise<T> {
  const db = await openDb({ databaseUrl: undefined, dataDirectory, onFatal: () => {} });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** All that the tools read. */
const projection = (
  dataDirectory: string,
): Promise<{ entries: unknown[]; passages: unknown[]; uses: unknown[] }> =>
  withEmbedded(
    async (db) => ({
      entries: await db.query(
        sql`select e.*, 0 as labeling_run, 0 as published_labels, e.detail::text as detail from clinical_entry e order by patient_id, seq, ordinal`,
      ),
      passages: await db.query(
        sql`select patient_id, encode(passage_hash, 'hex') as hash, title, body, terms::text as terms from passage order by 1, 2`,
      ),
      uses: await db.query(
        sql`select patient_id, encode(passage_hash, 'hex') as hash, seq, ordinal from passage_use order by 1, 2, 3, 4`,
      ),
    }),
    dataDirectory,
  );
