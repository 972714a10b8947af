import { parentPort, type MessagePort } from 'node:worker_threads';
import { createDocumentProcessPool } from '../../documents/sandbox/document-process-pool.ts';
import type { ImportThreadData } from '../../server/clinical/ingest/batches/import-threads.ts';
import { openImport } from '../../server/import-jobs.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { openInThread } from '../../server/platform/db/open-in-thread.ts';
import { serveJobs } from '../../server/platform/jobs/serve-jobs.ts';

/** What begins a life of the thread: what a thread of a service is started with, and the port that stands for it. */
export interface Life {
  data: ImportThreadData;
  port: MessagePort;
}

/**
 * A thread that reads the uploads of one service after another; the processes that read documents are kept as well, and the
 * connections to a PostgreSQL store that the next service has too, which have planned every statement.
 */
const documents = createDocumentProcessPool();
let kept: { databaseUrl: string; capacity: SharedArrayBuffer; db: Db } | undefined;

parentPort?.on('message', (message: Life | 'end') => {
  if (message === 'end') void end().finally(() => parentPort?.close());
  else
    serveJobs(
      openImport(message.data, { ...documents, close: async () => {} }, openKept(message.data.access)),
      message.port,
    );
});

/** How the addresses of the databases of the run begin. */
const ofRun = process.env['CHARTGATE_TEST_POSTGRES']?.replace(/[^/]*$/, '');

/** Only to the server of the run: a test may wait until nobody is connected to a server, or a proxy, of its own. */
function openKept(access: ImportThreadData['access']): Db {
  if ('line' in access || ofRun === undefined || !access.databaseUrl.startsWith(ofRun))
    return openInThread(access);
  const { databaseUrl, capacity } = access;
  if (kept?.databaseUrl !== databaseUrl || kept.capacity !== capacity) {
    void kept?.db.close().catch(() => {});
    kept = { databaseUrl, capacity, db: openInThread(access) };
  }
  return { ...kept.db, close: async () => {} };
}

async function end(): Promise<void> {
  await documents.close();
  await kept?.db.close();
}
