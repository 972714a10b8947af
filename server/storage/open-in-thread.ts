import { threadId, type MessagePort } from 'node:worker_threads';
import { connect, namesOfThread } from './connect.ts';
import type { Db, ThreadStore } from './db.ts';
import { CREDENTIALS, dial, lineTo } from './exchange.ts';
import { openPostgres } from './postgres.ts';

/** A thread works on one thing: its reads, a transaction, and what it reads for the next one meanwhile. */
const SIZE = { pipelines: 1, transactions: 2 };

/** The store that another thread of the process holds, by connections of this thread's own. */
export const openInThread = (access: ThreadStore['access']): Db =>
  'line' in access ? overLine(access.line) : openPostgres(access.databaseUrl, SIZE);

function overLine(line: MessagePort): Db {
  line.postMessage({ names: namesOfThread(threadId) });
  return connect({
    engine: 'embedded',
    connection: { ...CREDENTIALS, stream: () => dial(line) },
    ...SIZE,
    forThread: () => lineTo(line),
    release: async () => line.close(),
  });
}
