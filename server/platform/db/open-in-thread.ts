import { threadId, type MessagePort } from 'node:worker_threads';
import { connect, buildThreadPrefix } from './connect.ts';
import type { Db, ThreadHandle } from './db.ts';
import { CREDENTIALS, openSocket, openLine } from './engine-connection.ts';
import { openPostgres } from './postgres.ts';
import { UNWATCHED } from './response-watch.ts';
import { withStoreErrors } from './with-store-errors.ts';
import { createStoreCapacity, type StoreCapacity } from './store-capacity.ts';

/** A thread runs one job: its reads, a transaction, and the reads for the next transaction meanwhile. */
const THREAD_POOL_SIZE = { pipelines: 1, transactions: 2 };

/** Opens the store of another thread of the process, with connections of this thread's own. */
export const openInThread = (access: ThreadHandle['access']): Db =>
  'line' in access
    ? openOverLine(access.line, createStoreCapacity(access.capacity))
    : openPostgres(access.databaseUrl, {
        size: THREAD_POOL_SIZE,
        capacity: createStoreCapacity(access.capacity),
      });

function openOverLine(line: MessagePort, capacity: StoreCapacity): Db {
  line.postMessage({ names: buildThreadPrefix(threadId) });
  return withStoreErrors(
    connect({
      engine: 'embedded',
      capacity,
      connection: { ...CREDENTIALS, stream: () => openSocket(line) },
      ...THREAD_POOL_SIZE,
      watch: UNWATCHED,
      createThreadHandle: () => openLine(line, capacity),
      release: async () => line.close(),
    }),
  );
}
