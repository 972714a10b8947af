import { workerData } from 'node:worker_threads';
import { createDocumentProcessPool } from '../documents/sandbox/document-process-pool.ts';
import type { ImportThreadData } from './clinical/ingest/batches/import-threads.ts';
import { openImport } from './import-jobs.ts';
import { serveJobs } from './platform/jobs/serve-jobs.ts';

serveJobs(openImport(workerData as ImportThreadData, createDocumentProcessPool()));
