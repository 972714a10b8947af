import { z } from 'zod';
import { wholeNumber } from '../whole-number.ts';
import { defineEndpoint } from '../endpoint.ts';
import { BatchId, DocumentId } from '../brands.ts';

/** A file other than FHIR JSON, stored as it was uploaded, whether or not it could be read into the record. */
export const StoredDocument = z
  .object({
    documentId: DocumentId,
    batchId: BatchId.describe('The first upload that contained it'),
    path: z.string().describe('The path in the archive'),
    size: z.int().min(0).describe('Bytes'),
    contentType: z.string().describe('Detected from its bytes, whatever its name'),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    receivedAt: z.iso.datetime(),
  })
  .meta({ id: 'StoredDocument' });
export type StoredDocument = z.infer<typeof StoredDocument>;

/** Newest first; `before` is the id of the last document of the previous page. */
export const DocumentsQuery = z.object({
  limit: wholeNumber(1, 1000).prefault(100),
  before: DocumentId.optional(),
});

export const DocumentList = z.object({
  results: z.array(StoredDocument),
  next: DocumentId.nullable().describe('`before` of the next page; null on the last'),
});

const documentBytes = z.string().meta({ format: 'binary' });

/** Media types that a browser shows without running anything; every other document is sent as application/octet-stream. */
export const DOWNLOAD_TYPES = [
  'application/pdf',
  'application/rtf',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
  'text/csv',
  'text/plain',
] as const;

/** The response of a download: by the type that was detected from the bytes. */
export const download = {
  produces: 'application/octet-stream',
  response: documentBytes,
  alternatives: Object.fromEntries(DOWNLOAD_TYPES.map((type) => [type, documentBytes])),
};

const shared = { tag: 'Uploads', audience: ['patient'] } as const;

export const listDocuments = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/v1/patients/{patientId}/documents',
  name: 'listDocuments',
  summary: 'The documents as they were uploaded, newest first',
  query: DocumentsQuery,
  response: DocumentList,
});

export const getDocument = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/v1/patients/{patientId}/documents/{documentId}',
  name: 'getDocument',
  summary: 'One document, byte for byte as it was uploaded',
  ...download,
  refusals: { 404: 'The patient has no such document' },
});
