import { workerData } from 'node:worker_threads';
import { createRecordsUpdatedEmitter } from './consent/tell-record-updated.ts';
import type { ImportThreadData } from './import-threads.ts';
import { serveJobs } from './jobs/serve-jobs.ts';
import { indexEntries } from './search/index-entries.ts';
import { openInThread } from './storage/open-in-thread.ts';
import { createDocumentProcessPool } from './uploads/documents/document-processes.ts';
import { processUpload } from './uploads/process-upload.ts';
import { UPLOAD_JOB, type UploadJob } from './uploads/upload-job.ts';
import { createEmitter } from './webhooks/events/emit.ts';

/** The composition root of the threads in which uploads are read. */
const { access } = workerData as ImportThreadData;
const db = openInThread(access);
const documents = createDocumentProcessPool();

serveJobs(
  {
    [UPLOAD_JOB]: (upload: UploadJob, { signal, clock }) =>
      processUpload(
        {
          db,
          clock,
          documents,
          index: indexEntries,
          extractText: (document) => documents.extractText(document),
          // The main thread looks for deliveries each second.
          emitUpdate: createRecordsUpdatedEmitter(createEmitter(() => {})),
        },
        upload,
        signal,
      ),
  },
  async () => {
    await documents.close();
    await db.close();
  },
);
