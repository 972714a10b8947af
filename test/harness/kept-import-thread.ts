import { parentPort, type MessagePort } from 'node:worker_threads';
import { createDocumentProcessPool } from '../../documents/sandbox/document-process-pool.ts';
import type { ImportThreadData } from '../../server/clinical/ingest/batches/import-threads.ts';
import { openImport } from '../../server/import-jobs.ts';
import { serveJobs } from '../../server/platform/jobs/serve-jobs.ts';

/** What begins a life of the thread: what a thread of a service is started with, and the port that stands for it. */
export interface Life {
  data: ImportThreadData;
  port: MessagePort;
}

/** A thread that reads the uploads of one service after another; the processes that read documents are kept as well. */
const documents = createDocumentProcessPool();

parentPort?.on('message', (message: Life | 'end') => {
  if (message === 'end') void documents.close().finally(() => parentPort?.close());
  else serveJobs(openImport(message.data, { ...documents, close: async () => {} }), message.port);
});
