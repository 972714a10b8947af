import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createTestClock } from '../../../test/harness/clock.ts';
import { ENGINES, openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { sql } from '../db/sql.ts';
import { createJobThreads, ThreadDiedError, type JobThreads, type ThreadOptions } from './job-threads.ts';
import { Reschedule } from './job-kind.ts';
import { createJobWorker } from './worker.ts';

const LIMITS = { idleMs: 60_000, heartbeatTimeoutMs: 60_000, graceMs: 60_000 };
const clock = createTestClock();
const never = new AbortController().signal;

const MODULE = new URL('../../../test/harness/job-thread.ts', import.meta.url);

let gone: number[] = [];
let threads: JobThreads;
let folder: string;
before(() => void (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-test-'))));
after(() => fs.rmSync(folder, { recursive: true }));
afterEach(() => threads.stop());

function start(limits: Partial<ThreadOptions['limits']> = {}): void {
  gone = [];
  threads = createJobThreads({
    startThread: (options) => new Worker(MODULE, options),
    createWorkerOptions: () => ({ workerData: null, transferList: [] }),
    clock,
    memoryMB: 64,
    limits: { ...LIMITS, ...limits },
    onExit: async (threadId) => void gone.push(threadId),
  });
}

const run = (kind: string, signal = never, payload: object = {}): Promise<void> =>
  threads.run({ kind, payload }, signal);

let files = 0;
async function report(): Promise<{ threadId: number; now: number }> {
  const file = path.join(folder, `result-${++files}`);
  await run('report', never, { file });
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

describe('a job thread', () => {
  it('follows the clock of the process, also when it was moved, and time passes there', async () => {
    start();
    clock.advance(3_600_000);
    const movedTo = clock.now().getTime();
    const begun = performance.now();
    const { now } = await report();
    const passed = Math.ceil(performance.now() - begun);
    // The clock of the process stands still here: what the thread adds is the time since its job began.
    assert.ok(now >= movedTo && now <= movedTo + passed, `${now - movedTo} ms, of ${passed}`);
  });

  it('rejects with the name and the code of the error that the job threw', async () => {
    start();
    await assert.rejects(run('refuse'), {
      name: 'Refusal',
      code: 'patient_gone',
      message: 'The patient no longer exists.',
    });
    await assert.rejects(run('unheard of'), /no handler for unheard of/);
  });

  it('passes a Reschedule on with its delay', async () => {
    start();
    await assert.rejects(run('later'), (error) => error instanceof Reschedule && error.ms === 250);
  });

  it('is reused for a job after another one, never for two at once', async () => {
    start();
    const [first, second] = await Promise.all([report(), report()]);
    assert.notEqual(first.threadId, second.threadId);
    assert.ok([first.threadId, second.threadId].includes((await report()).threadId));
  });

  it('fails the job that kills it; concurrent and later jobs are unharmed', async () => {
    start();
    const stop = new AbortController();
    const beside = run('wait for abort', stop.signal);
    await assert.rejects(
      run('run out of memory'),
      (error) => error instanceof ThreadDiedError && /ERR_WORKER_OUT_OF_MEMORY/.test(error.message),
    );
    assert.ok((await report()).threadId > 0);
    stop.abort(new Error('enough'));
    await assert.rejects(beside, { message: 'enough' });
    assert.equal(gone.length, 1, 'what it left can be swept');
  });

  it('is terminated when it sends no heartbeat', async () => {
    start({ heartbeatTimeoutMs: 2_500 });
    await assert.rejects(
      run('compute'),
      (error) => error instanceof ThreadDiedError && /no heartbeat/.test(error.message),
    );
  });

  it('ends its job when it is aborted, and is terminated when it does not react', async () => {
    for (const [kind, graceMs, error] of [
      ['wait for abort', 60_000, { message: 'the process is stopping' }],
      ['compute', 100, { name: 'ThreadDiedError' }],
    ] as const) {
      start({ graceMs });
      const stop = new AbortController();
      const file = path.join(folder, kind);
      const running = run(kind, stop.signal, { file });
      const rejected = assert.rejects(running, error);
      while (!fs.existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10));
      stop.abort(new Error('the process is stopping'));
      await rejected;
      await threads.stop();
    }
    await assert.rejects(run('report', AbortSignal.abort(new Error('before it began'))), /before it began/);
  });

  it('is closed after it was idle for a while', async () => {
    start({ idleMs: 50 });
    const { threadId } = await report();
    while (gone.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(gone, [threadId]);
    assert.notEqual((await report()).threadId, threadId);
  });
});

for (const engine of ENGINES)
  describe(`a job whose thread dies, on ${engine}`, () => {
    let store: TestStore;
    before(async () => void (store = await openTestStore(engine)));
    after(() => store.remove());

    it('loses one attempt and is done at the next', async () => {
      start();
      const faults: unknown[] = [];
      const kind = {
        kind: 'die once',
        maxAttempts: 3,
        delaySeconds: () => 0,
        run: (payload: object, signal: AbortSignal) => threads.run({ kind: 'die once', payload }, signal),
      };
      const worker = createJobWorker({ db: store.db, clock, onError: (error) => faults.push(error) }, [
        { kinds: [kind], concurrency: 2 },
      ]);
      const payload = { file: path.join(folder, `died-${engine}`) };
      await store.db.tx((tx) => worker.enqueue(tx, { kind: 'die once', uniqueKey: 'a', payload }));
      await worker.drain();
      assert.deepEqual(
        faults.map((error) => (error as Error).name),
        ['ThreadDiedError'],
      );
      assert.deepEqual(await store.db.query(sql`select * from job`), []);
      await worker.stop();
    });
  });
