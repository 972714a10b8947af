import { createRecordsUpdatedEmitter } from './consent/decisions/records-updated-event.ts';
import type { ImportThreadData } from './clinical/ingest/batches/import-threads.ts';
import type { ThreadJobs } from './platform/jobs/serve-jobs.ts';
import { VOCABULARY } from './clinical/concepts/read-vocabulary.ts';
import type { Db } from './platform/db/db.ts';
import { openInThread } from './platform/db/open-in-thread.ts';
import { createObjects } from './platform/objects/objects.ts';
import { createObjectStore } from './platform/objects/s3-client.ts';
import type { DocumentProcessPool } from '../documents/sandbox/document-process-pool.ts';
import { processUpload } from './clinical/ingest/batches/process-upload.ts';
import { UPLOAD_JOB } from './clinical/ingest/batches/batch-line.ts';
import { RELABEL_JOB, type RelabelJob } from './clinical/ingest/batches/relabel-job.ts';
import type { UploadTurn } from './clinical/ingest/batches/upload-job.ts';
import { rebuildEntries } from './clinical/ingest/import/rebuild-entries.ts';
import { createEmitter } from './surfaces/webhooks/events/create-emitter.ts';

/** The composition root of the threads in which uploads are read; `close` closes the documents and the store. */
export function openImport(
  { access, quotaBytes, objectStore }: ImportThreadData,
  documents: DocumentProcessPool,
  db: Db = openInThread(access),
): ThreadJobs {
  const store = objectStore && createObjectStore(objectStore);
  const { get: getVocabulary } = VOCABULARY;
  // The main thread looks for deliveries each second.
  const emitUpdate = createRecordsUpdatedEmitter(createEmitter(() => {}));
  return {
    handlers: {
      [RELABEL_JOB]: ({ patientId }: RelabelJob, { signal, clock }) =>
        rebuildEntries(
          {
            db,
            clock,
            getVocabulary,
            emitUpdate,
            extractText: (document) => documents.extractText(document),
          },
          { patientId, batchId: null },
          () => signal.throwIfAborted(),
        ),
      [UPLOAD_JOB]: (upload: UploadTurn, { signal, clock }) => {
        // A first upload waits for the archive meanwhile. What fails is thrown where it is needed.
        VOCABULARY.prepare().catch(() => {});
        return processUpload(
          {
            db,
            clock,
            documents,
            getVocabulary,
            quotaBytes,
            objects: createObjects({ db, clock, store, takesNew: objectStore?.takesNew ?? false }),
            emitUpdate,
          },
          upload,
          signal,
        );
      },
    },
    async close() {
      await documents.close();
      await store?.close();
      await db.close();
    },
  };
}
