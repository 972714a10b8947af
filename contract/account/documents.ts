import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { BatchId, DocumentId } from '../brands.ts';

/** A file that is no FHIR JSON, kept as it was uploaded, whether it could be read into the record or not. */
export const StoredDocument = z
  .object({
    documentId: DocumentId,
    batchId: BatchId.describe('The upload that brought it first'),
    path: z.string().describe('In the archive'),
    size: z.int().min(0).describe('Bytes'),
    contentType: z.string().describe('By its bytes, whatever it is called'),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    receivedAt: z.iso.datetime(),
  })
  .meta({ id: 'StoredDocument' });
export type StoredDocument = z.infer<typeof StoredDocument>;

/** Newest first; `before` is the id of the last document of the page before. */
export const DocumentsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  before: DocumentId.optional(),
});

export const DocumentList = z.object({
  results: z.array(StoredDocument),
  next: DocumentId.nullable().describe('`before` of the next page; null on the last'),
});

export const documentBytes = z.string().meta({ format: 'binary' });

const shared = { tag: 'Uploads', audience: ['patient'] } as const;

export const listDocuments = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/v1/patients/{patientId}/documents',
  name: 'listDocuments',
  summary: 'The documents that are kept as they were uploaded, newest first',
  query: DocumentsQuery,
  response: DocumentList,
});

export const getDocument = defineEndpoint({
  ...shared,
  method: 'GET',
  path: '/v1/patients/{patientId}/documents/{documentId}',
  name: 'getDocument',
  summary: 'One document, byte for byte as it was uploaded',
  produces: 'application/octet-stream',
  response: documentBytes,
  refusals: { 404: 'The patient has no such document' },
});
