import { z } from 'zod';
import { MAX_GIVEN_PASSWORD_LENGTH } from '../text-limits.ts';
import { download, DocumentList, DocumentsQuery } from './documents.ts';
import { defineEndpoint } from '../endpoint.ts';
import { BatchId } from '../brands.ts';
import {
  UploadBatch,
  UPLOAD_BEYOND_STORE,
  UPLOAD_PATIENT_GONE,
  UPLOAD_QUOTA_REACHED,
  UPLOAD_TIMED_OUT,
  UPLOAD_TOO_LARGE,
  UPLOAD_UNFINISHED,
} from './uploads.ts';

const shared = { tag: 'Consent page', audience: ['patient-session'], page: true } as const;

export const listMyUploads = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/uploads',
  name: 'listMyUploads',
  summary: "The person's uploads, newest first, with the files that could not be read",
  response: z.object({ results: z.array(UploadBatch) }),
});

export const uploadMyDocuments = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/uploads',
  name: 'uploadMyDocuments',
  summary: 'Takes a zip archive of documents (field `file`) and reads it in the background',
  consumes: 'multipart/form-data',
  body: z.object({ file: z.string().meta({ format: 'binary' }) }),
  slowBody: true,
  storeUse: 'uploads',
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

export const confirmMyUpload = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/uploads/confirm',
  name: 'confirmMyUpload',
  summary: 'Says that an upload which names somebody else is about the person; it is read then',
  body: z.object({ batchId: BatchId }),
  status: 202,
  response: z.object({ batchId: BatchId }),
  refusals: { 404: 'The person has no such upload' },
});

export const removeMyUpload = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/uploads/remove',
  name: 'removeMyUpload',
  summary:
    'Takes an upload out of the record: its resources and originals, but for those that other uploads brought too',
  body: z.object({ batchId: BatchId }),
  status: 204,
  response: z.undefined(),
  refusals: { 404: 'The person has no such upload', 409: UPLOAD_UNFINISHED },
});

export const readMyUploadAgain = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/uploads/read-again',
  name: 'readMyUploadAgain',
  summary:
    'Reads the documents of an upload that were not read in time (`not_read_in_time`), as an upload of their own',
  body: z.object({ batchId: BatchId }),
  storeUse: 'uploads',
  status: 202,
  response: z.object({ batchId: BatchId }),
  refusals: {
    404: 'The person has no such upload',
    409: 'Every document was read in time',
    429: UPLOAD_QUOTA_REACHED,
    507: UPLOAD_BEYOND_STORE,
  },
});

export const listMyDocuments = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/documents',
  name: 'listMyDocuments',
  summary: "The person's documents as they were uploaded, newest first",
  query: DocumentsQuery,
  response: DocumentList,
});

export const getMyDocument = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/documents/{documentId}',
  name: 'getMyDocument',
  summary: 'One document, byte for byte as it was uploaded',
  ...download,
  refusals: { 404: 'The person has no such document' },
});

/** A document inside of the record that could not be read, and is therefore treated as of every protected class. */
export const UnreadDocument = z
  .object({
    digest: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .describe('Identifies its content'),
    title: z.string().nullable(),
    description: z.string().describe('Kind and size: "PDF, 120 kB"'),
    path: z.string().describe('The file of the upload that it came in'),
    statedAt: z.iso
      .datetime()
      .nullable()
      .describe('When the person stated that it holds nothing very private; null: they did not'),
  })
  .meta({ id: 'UnreadDocument' });
export type UnreadDocument = z.infer<typeof UnreadDocument>;

export const listMyUnreadDocuments = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/unread-documents',
  name: 'listMyUnreadDocuments',
  summary:
    "Documents in the person's record that could not be read: they are shared only with those who get every protected class, unless the person states that they hold nothing very private. At most 100",
  response: z.object({ total: z.int().min(0), results: z.array(UnreadDocument) }),
});

export const stateMyUnreadDocument = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/unread-documents',
  name: 'stateMyUnreadDocument',
  summary: "Keeps the person's statement that a document holds nothing very private, or takes it back",
  body: z.object({ digest: UnreadDocument.shape.digest, nothingPrivate: z.boolean() }),
  status: 204,
  response: z.undefined(),
  refusals: { 404: 'The person has no such document' },
});

export const downloadMyData = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/account/download',
  name: 'downloadMyData',
  summary:
    'All data about the person as a zip archive: the record as FHIR NDJSON, the stored documents, consent receipts with their screenshots, and the access log',
  produces: 'application/zip',
  response: z.string().meta({ format: 'binary' }),
});

export const deleteMyAccount = defineEndpoint({
  ...shared,
  method: 'POST',
  path: '/account/delete',
  name: 'deleteMyAccount',
  summary:
    'Deletes the account and the record after withdrawing every consent. Consent records with their evidence and the audit log stay, as the law requires',
  body: z.object({
    password: z
      .string()
      .min(1)
      .max(MAX_GIVEN_PASSWORD_LENGTH)
      .describe("The signed-in person's password, as confirmation"),
  }),
  status: 204,
  response: z.undefined(),
  refusals: {
    401: 'not_signed_in, or invalid_credentials',
    403: 'csrf, or a test patient, whose organization deletes it',
    429: 'Too many failed attempts',
    503: 'Too many sign in at once',
  },
});
