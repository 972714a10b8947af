import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { BatchId, SourceId } from '../brands.ts';

/** The size limit of an uploaded archive, in bytes. */
export const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;

export const UPLOAD_PATIENT_GONE = 'The patient was deleted while the upload arrived';
export const UPLOAD_TIMED_OUT = 'Nothing arrived for 60 seconds, or the upload took longer than an hour';

export const UPLOAD_QUOTA_REACHED = '50 archives within 24 hours, or 20 that wait to be read';

export const UPLOAD_BEYOND_STORE =
  'The record would exceed the bytes that are kept for a patient, or the store is full';

export const UPLOAD_TOO_LARGE = `More than ${MAX_UPLOAD_BYTES / 1024 / 1024} MiB`;

const count = z.int().min(0);

const ShownPerson = z.object({
  name: z.string().nullable(),
  birthDate: z.string().nullable().describe('As precisely as it is known: YYYY, YYYY-MM or YYYY-MM-DD'),
  sex: z.enum(['male', 'female']).nullable(),
});

/** What an upload that is `needs_confirmation` asks its patient. */
const Question = z.object({
  persons: z
    .array(
      ShownPerson.extend({
        path: z.string().describe('The file that names them first'),
        differs: z.array(z.enum(['name', 'birthDate', 'sex'])),
      }),
    )
    .describe('Whom the upload names who differ from the patient, at most 10'),
  total: count.describe('How many they are'),
  account: ShownPerson,
  record: z.array(ShownPerson).describe('Whom the record names so far, at most 5'),
});

const Notice = z.object({ path: z.string(), code: z.string(), message: z.string() });

export const UploadBatch = z
  .object({
    batchId: BatchId,
    /** The connected server that the documents were fetched from; null for an upload of the patient. */
    sourceId: SourceId.nullable(),
    status: z.enum([
      'queued',
      'processing',
      'needs_confirmation',
      'completed',
      'completed_with_errors',
      'failed',
    ]),
    paths: z
      .array(z.string())
      .describe(
        'The first files of the archive, at most 5; `documents.total` says how many there are. Those of an archive that the patient chose on their page are below its name; of an empty one it is that name alone',
      ),
    receivedAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable(),
    documents: z.object({ total: count, processed: count, rejected: count }),
    resources: z.object({ created: count, updated: count, unchanged: count }),
    question: Question.nullable().describe(
      'Asked while the status is `needs_confirmation`, else null: the upload names another person, nothing of it is in the record',
    ),
    rejected: z
      .array(Notice)
      .describe(
        'What could not be read, or not as it came. `class_unknown`: a document that could not be read needs every restricted class until it is',
      ),
    notes: z
      .array(Notice)
      .describe(
        'What was read and is kept beside others: an `older_version`, or an `id_in_use` of another resource; what has the security label of the Bundle or document that it came in (`labels_of_bundle`); what is of an older or a newer version of FHIR than R4 (`older_fhir_version`, `newer_fhir_version`); a deletion that a transaction asks for, which an upload does not do (`deletion_not_applied`); what a connected server sent again that was taken out before, and has not changed there since (`taken_out`); and what is no part of a record: what a download of ours holds besides (`own_archive`), and what a server said about its answer (`server_message`)',
      ),
  })
  .meta({ id: 'UploadBatch' });
export type UploadBatch = z.infer<typeof UploadBatch>;

const tag = 'Uploads';

export const uploadDocuments = defineEndpoint({
  method: 'POST',
  path: '/v1/patients/{patientId}/upload-documents',
  name: 'uploadDocuments',
  summary: 'Takes a zip archive of documents (field `file`) and reads it in the background',
  tag,
  audience: ['patient'],
  consumes: 'multipart/form-data',
  query: z.object({
    confirm: z
      .enum(['true', 'false'])
      .optional()
      .describe(
        'true: the patient says that the documents are about them, also where these name somebody else; it is not asked',
      ),
  }),
  body: z.object({ file: z.string().meta({ format: 'binary' }) }),
  slowBody: true,
  storeUse: 'uploads',
  usage: 'upload',
  status: 202,
  response: z.object({ batchId: BatchId }),
  refusals: {
    404: UPLOAD_PATIENT_GONE,
    408: UPLOAD_TIMED_OUT,
    413: UPLOAD_TOO_LARGE,
    422: 'Not a zip archive, a damaged one, or one that unpacks beyond the limits',
    429: UPLOAD_QUOTA_REACHED,
    507: UPLOAD_BEYOND_STORE,
  },
});

export const getUploadBatch = defineEndpoint({
  method: 'GET',
  path: '/v1/patients/{patientId}/upload-documents/{batchId}',
  name: 'getUploadBatch',
  summary: 'The state of an upload',
  tag,
  audience: ['patient'],
  response: UploadBatch,
  refusals: { 404: 'The patient has no such batch' },
});

export const readUploadAgain = defineEndpoint({
  method: 'POST',
  path: '/v1/patients/{patientId}/upload-documents/{batchId}/read-again',
  name: 'readUploadAgain',
  summary:
    'Reads the documents of an upload that were not read in time (`not_read_in_time`), as an upload of their own',
  tag,
  audience: ['patient'],
  storeUse: 'uploads',
  status: 202,
  response: z.object({ batchId: BatchId }),
  refusals: {
    404: 'The patient has no such batch',
    409: 'Every document was read in time',
    429: UPLOAD_QUOTA_REACHED,
    507: UPLOAD_BEYOND_STORE,
  },
});

export const confirmUploadBatch = defineEndpoint({
  method: 'POST',
  path: '/v1/patients/{patientId}/upload-documents/{batchId}/confirm',
  name: 'confirmUploadBatch',
  summary:
    'Says that an upload is about the patient: one that is `needs_confirmation` is read then; of any other it changes nothing',
  tag,
  audience: ['patient'],
  status: 202,
  response: z.object({ batchId: BatchId }),
  refusals: { 404: 'The patient has no such batch' },
});

export const listUploadBatches = defineEndpoint({
  method: 'GET',
  path: '/v1/patients/{patientId}/upload-documents',
  name: 'listUploadBatches',
  summary: "The patient's uploads, newest first",
  tag,
  audience: ['patient'],
  response: z.object({ results: z.array(UploadBatch.omit({ rejected: true, notes: true })) }),
});

export const UPLOAD_UNFINISHED =
  'The upload waits to be read, or is being read; remove it when that has ended';

export const removeUploadBatch = defineEndpoint({
  method: 'DELETE',
  path: '/v1/patients/{patientId}/upload-documents/{batchId}',
  name: 'removeUploadBatch',
  summary:
    'Takes an upload out of the record: its resources and originals, but for those that other uploads brought too',
  tag,
  audience: ['patient'],
  status: 204,
  response: z.undefined(),
  refusals: { 404: 'The patient has no such batch', 409: UPLOAD_UNFINISHED },
});
