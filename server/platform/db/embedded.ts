import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { connect } from './connect.ts';
import type { Db } from './db.ts';
import { makeFolderPrivate } from '../kernel/private-folder.ts';
import { withStoreErrors } from './with-store-errors.ts';
import { lockDirectory } from './directory-lock.ts';
import { CREDENTIALS, openSocket, openLine, requestSnapshot } from './engine-connection.ts';
import { UNWATCHED } from './response-watch.ts';
import { shareFairly } from './share-fairly.ts';
import { createStoreCapacity, type ReserveOptions } from './store-capacity.ts';
import { useBaselineCompiler } from './use-baseline-compiler.ts';
import type { EmbeddedWorkerData } from './embedded-worker.ts';
import { watchDisk } from './watch-disk.ts';

/** One at a time has the engine; the others are prepared meanwhile. */
const TRANSACTIONS = 4;

export interface EmbeddedOptions {
  dataDirectory: string;
  /** The file that is given back to a full disk, so that the store goes on. */
  reserve?: ReserveOptions;
  /** Runs when the engine dies (a failed fsync makes it panic); the process must end. */
  onFatal(error: Error): void;
}

/** The engine does not start on what is in its folder, or on its disk. */
export class EngineStartError extends Error {
  readonly directory: string;

  constructor(directory: string, { cause }: { cause: unknown }) {
    super(cause instanceof Error ? cause.message : 'the embedded engine does not start', { cause });
    this.name = 'EngineStartError';
    this.directory = directory;
  }
}

/**
 * Opens PostgreSQL inside the process: PGlite in a worker thread (in the main thread a heavy query would block HTTP for
 * as long as it runs), used by the same driver over message ports.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Db> {
  useBaselineCompiler();
  makeFolderPrivate(options.dataDirectory, isStoreName);
  const lock = lockDirectory(options.dataDirectory);
  const capacity = createStoreCapacity();
  const { dataDirectory, reserve = { bytes: 0 } } = options;
  const workerData: EmbeddedWorkerData = {
    directory: path.join(dataDirectory, 'store'),
    reserve: { dataDirectory, bytes: reserve.bytes },
    capacity: capacity.shared,
  };
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), { workerData });
  let closing = false;
  try {
    await waitForMessage(worker, 'ready');
  } catch (error) {
    lock.release();
    throw new EngineStartError(workerData.directory, { cause: error });
  }
  worker.on('error', (error) => closing || options.onFatal(error as Error));
  worker.on('exit', () => closing || options.onFatal(new Error('the embedded engine stopped')));

  const disk = reserve.bytes > 0 ? watchDisk({ dataDirectory, reserve, capacity }) : null;
  await disk?.tick();
  const db = connect({
    engine: 'embedded',
    capacity,
    connection: { ...CREDENTIALS, stream: () => openSocket(worker) },
    pipelines: 1,
    separatesLookUps: true,
    transactions: TRANSACTIONS,
    watch: UNWATCHED,
    createThreadHandle: () => openLine(worker, capacity),
    snapshot: (folder) => requestSnapshot(worker, folder),
    measureDisk: async () => disk?.tick(),
    async release() {
      closing = true;
      disk?.close();
      const closed = waitForMessage(worker, 'closed');
      worker.postMessage('close');
      await closed;
      await worker.terminate();
      lock.release();
    },
  });
  return withStoreErrors(shareFairly(db, { transactions: TRANSACTIONS }));
}

/** What a data directory holds of ours: the store, one that was being created, the lock, and mails. */
const isStoreName = (name: string): boolean => /^(store|owner\.|outbox)/.test(name);

function waitForMessage(worker: Worker, expected: string): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the embedded engine stopped')));
    worker.on('message', (message) => message === expected && resolve());
  });
}
