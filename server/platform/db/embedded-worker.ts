import fs from 'node:fs';
import path from 'node:path';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { copyTree } from './copy-tree.ts';
import { DurableNodeFS, syncDirectory, syncTree } from './durable-fs.ts';
import { serveSessions } from './embedded-sessions.ts';
import type { EngineMessage } from './engine-connection.ts';
import { openReserveFile } from './reserve-file.ts';
import { createStoreCapacity } from './store-capacity.ts';

/** The engine's own parameters, but with fsync: without `-F`, and the WAL is synced by the one call that works. */
const START_PARAMS = [
  '--single',
  '-O',
  '-j',
  ...Object.entries({
    search_path: 'public',
    exit_on_error: 'false',
    log_checkpoints: 'false',
    max_worker_processes: '0',
    max_parallel_workers: '0',
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    io_method: 'sync',
    wal_sync_method: 'fsync',
    shared_buffers: '32MB',
    jit: 'off',
    // Planning takes two to four times what a gated read takes to run; see `embedded-sessions.ts` for how plans age.
    plan_cache_mode: 'force_generic_plan',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];

export interface EmbeddedWorkerData {
  directory: string;
  reserve: { dataDirectory: string; bytes: number };
  capacity: SharedArrayBuffer;
}

const { directory, ...data } = workerData as EmbeddedWorkerData;
const reserve = openReserveFile(data.reserve);
const capacity = createStoreCapacity(data.capacity);

/** Runs while the engine waits for its write: the next look at the disk is up to a second away. */
function releaseSpace(): boolean {
  // Without a reserve nobody measures the disk, and what is full would stay so.
  if (data.reserve.bytes > 0) capacity.set('full');
  return reserve.release();
}

async function open(target: string): Promise<{ engine: PGlite; files: DurableNodeFS }> {
  const files = new DurableNodeFS(target, releaseSpace);
  const engine = await PGlite.create({
    fs: files,
    startParams: START_PARAMS,
    extensions: { btree_gin, pg_trgm },
  });
  return { engine, files };
}

/** Creates a database that is complete and on disk before it gets its name; a crash leaves only a folder to delete. */
async function initialize(): Promise<void> {
  const parent = path.dirname(directory);
  for (const name of fs.readdirSync(parent)) {
    if (name.startsWith(`${path.basename(directory)}.init-`))
      fs.rmSync(path.join(parent, name), { recursive: true });
  }
  const stagingDirectory = `${directory}.init-${process.pid}`;
  try {
    const { engine } = await open(stagingDirectory);
    await engine.close();
    syncTree(stagingDirectory);
    fs.renameSync(stagingDirectory, directory);
  } catch (error) {
    fs.rmSync(stagingDirectory, { recursive: true, force: true });
    throw error;
  }
  syncDirectory(parent);
}

/** Refuses to serve when a commit does not reach the disk, e.g. after an upgrade that moved the patched object. */
async function runSelfTest(engine: PGlite, files: DurableNodeFS): Promise<void> {
  const before = files.syncs;
  await engine.exec(
    'create table if not exists storage_self_test (at timestamptz); insert into storage_self_test values (clock_timestamp()); delete from storage_self_test',
  );
  if (files.syncs === before) throw new Error('the embedded engine does not force its commits to disk');
}

if (!fs.existsSync(path.join(directory, 'PG_VERSION'))) await initialize();
const { engine, files } = await open(directory);
await runSelfTest(engine, files);
const sessions = serveSessions(engine);

parentPort?.on('message', (message: EngineMessage | 'close') =>
  message === 'close' ? void close() : handleMessage(message),
);
parentPort?.postMessage('ready');

async function close(): Promise<void> {
  sessions.stop();
  await engine.exec('checkpoint');
  await engine.close();
  parentPort?.postMessage('closed');
  parentPort?.close();
}

/** Adds a connection, or a line of another thread, which is an import's and opens connections over it itself. */
function handleMessage(message: EngineMessage, isImport = false): void {
  if ('connect' in message) return sessions.add(message.connect, { isImport });
  if ('snapshot' in message) return void answerSnapshot(message);
  const { line } = message;
  line.on('message', (next: EngineMessage | { names: string }) => {
    if ('names' in next) line.on('close', () => sessions.deallocate(next.names));
    else handleMessage(next, true);
  });
}

async function answerSnapshot({
  snapshot,
  answer,
}: {
  snapshot: string;
  answer: MessagePort;
}): Promise<void> {
  const problem = await sessions
    .runAlone(async () => {
      await engine.exec('checkpoint');
      copyTree(directory, snapshot);
      syncTree(snapshot);
    })
    .then(
      () => null,
      // The message may name folders of ours, and nothing else.
      (error: Error) => error.message,
    );
  answer.postMessage(problem);
}
