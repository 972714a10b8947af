import { workerData } from 'node:worker_threads';
import { tellRecordUpdated } from './consent/tell-record-updated.ts';
import type { ImportThreadData } from './import-threads.ts';
import { serveJobs } from './jobs/serve-jobs.ts';
import { indexEntries } from './search/index-entries.ts';
import { openInThread } from './storage/open-in-thread.ts';
import { documentProcesses } from './uploads/documents/document-processes.ts';
import { processUpload } from './uploads/process-upload.ts';
import { UPLOAD_JOB, type UploadJob } from './uploads/upload-job.ts';
import { emitter } from './webhooks/events/emit.ts';

/** The composition root of the threads in which uploads are read. */
const { access } = workerData as ImportThreadData;
const db = openInThread(access);
const documents = documentProcesses();

serveJobs(
  {
    [UPLOAD_JOB]: (upload: UploadJob, { signal, clock }) =>
      processUpload(
        {
          db,
          clock,
          documents,
          index: indexEntries,
          textOf: (document) => documents.textOf(document),
          // The main thread looks for deliveries each second.
          tellUpdate: tellRecordUpdated(emitter(() => {})),
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
