import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentId, PatientId } from '../../../../contract/brands.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { readDocument } from './blobs.ts';
import { selectDocument } from './documents.sql.ts';
import { formatContentDisposition, getDownloadType } from './stored-documents.ts';

interface RequestContext {
  db: Db;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Sends a document as it was uploaded, one chunk in memory at a time, with headers that keep a browser from running it. */
export async function sendDocument(
  { db, request, reply }: RequestContext,
  { patientId, documentId }: { patientId: PatientId; documentId: DocumentId },
): Promise<FastifyReply> {
  const row = await maybeOne(db, selectDocument(patientId, documentId));
  if (!row) throw notFound('The document');
  reply.headers({
    'content-type': getDownloadType(row),
    'content-length': row.size,
    'content-disposition': formatContentDisposition(row.path),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  });
  const hasBody = request.method !== 'HEAD';
  return reply.send(hasBody ? readDocument(db, patientId, row) : Readable.from([]));
}
