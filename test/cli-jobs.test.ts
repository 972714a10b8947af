import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generateId } from '../server/platform/kernel/ids.ts';
import { sql } from '../server/platform/db/sql.ts';
import { runCommand } from './harness/cli.ts';
import { runNode, type ExitResult } from './harness/process.ts';
import { openTestStore, type TestStore } from './harness/store.ts';
import { PROGRAM } from './harness/program.ts';

describe('chartgate jobs', () => {
  let store: TestStore;
  const [parked, another] = [generateId<string>(), generateId<string>()];
  before(async () => {
    store = await openTestStore('postgresql');
    const at = new Date('2026-01-05T10:00:00Z');
    await store.db.query(sql`
      insert into job (job_id, kind, unique_key, payload, run_at, state, attempts, last_error, created_at) values
        (${parked}, 'upload', 'a', '{"patientId": "secret"}', ${at}, 'parked', 5, 'TypeError', ${at}),
        (${another}, 'mail', 'b', '{"to": "somebody@mail.example"}', ${at}, 'parked', 12, 'Error', ${new Date('2026-01-06T10:00:00Z')}),
        (${generateId()}, 'mail', 'c', '{}', ${new Date('2999-01-01T00:00:00Z')}, 'due', 0, null, ${at})`);
  });
  after(() => store.remove());

  const getEnvironment = (): Record<string, string> => ({
    DATABASE_URL: store.databaseUrl ?? '',
    CHARTGATE_DATA_DIR: store.dataDirectory,
    CHARTGATE_LOG_LEVEL: 'error',
  });
  const chartgate = (args: string): Promise<ExitResult> =>
    runNode(PROGRAM, args.split(' '), { environment: getEnvironment() });
  const jobs = (...args: string[]): Promise<ExitResult> =>
    runCommand(['jobs', ...args], { environment: getEnvironment() });

  it('lists what was given up, without what it is about, and counts everything', async () => {
    const { code, stdout, stderr } = await chartgate('jobs');
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(
      stdout,
      `Given up: 2
  ${parked}  upload, 5 attempts, TypeError, since 2026-01-05T10:00:00.000Z
  ${another}  mail, 12 attempts, Error, since 2026-01-06T10:00:00.000Z
mail: 1 due, 1 given up
upload: 0 due, 1 given up
`,
    );
    const json = await jobs('--json');
    assert.deepEqual(JSON.parse(json.stdout), {
      parked: [
        {
          id: parked,
          kind: 'upload',
          attempts: 5,
          error: 'TypeError',
          since: '2026-01-05T10:00:00.000Z',
        },
        { id: another, kind: 'mail', attempts: 12, error: 'Error', since: '2026-01-06T10:00:00.000Z' },
      ],
      counts: { mail: { due: 1, parked: 1 }, upload: { due: 0, parked: 1 } },
    });
  });

  it('retry lets one begin anew, or all of them, from their first attempt', async () => {
    const states = (): Promise<{ state: string; attempts: number }[]> =>
      store.db.query(sql`
        select state, attempts from job where job_id = any(${[parked, another]}::uuid[]) order by kind desc`);
    assert.deepEqual(JSON.parse((await jobs('retry', parked, '--json')).stdout), { begun: 1 });
    assert.deepEqual(await states(), [
      { state: 'due', attempts: 0 },
      { state: 'parked', attempts: 12 },
    ]);
    const again = await jobs('retry', parked);
    assert.deepEqual([again.code, again.stdout], [1, '']);
    assert.match(again.stderr, /given up/);
    const all = await jobs('retry');
    assert.match(all.stdout, /^Jobs that begin anew: 1\./);
    assert.deepEqual(await states(), [
      { state: 'due', attempts: 0 },
      { state: 'due', attempts: 0 },
    ]);
    assert.match((await jobs()).stdout, /^No job was given up\.$/m);
  });

  it('retry refuses what is no id', async () => {
    const { code, stdout, stderr } = await jobs('retry', 'everything');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /UUID/);
  });
});
