import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentId, PatientId } from '../../../../contract/brands.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import { maybeOne } from '../../../platform/db/db.ts';
import { readDocument, type BlobDeps } from './blobs.ts';
import { selectDocument } from './documents.sql.ts';
import { formatContentDisposition, getDownloadType } from './stored-documents.ts';

interface RequestContext extends BlobDeps {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Sends a document as it was uploaded, one chunk in memory at a time, with headers that keep a browser from running it. */
export async function sendDocument(
  { db, objects, request, reply }: RequestContext,
  { patientId, documentId }: { patientId: PatientId; documentId: DocumentId },
): Promise<FastifyReply> {
  const row = await maybeOne(db, selectDocument(patientId, documentId));
  if (!row) throw notFound('The document');
  // Before its headers are there: a refusal has others.
  const bytes =
    request.method === 'HEAD' ? Readable.from([]) : await readDocument({ db, objects }, patientId, row);
  return reply
    .headers({
      'content-type': getDownloadType(row),
      'content-length': row.size,
      'content-disposition': formatContentDisposition(row.path),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
    .send(bytes);
}
