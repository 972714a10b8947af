import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentId, PatientId } from '../../contract/ids.ts';
import { notFound } from '../kernel/refusal.ts';
import { maybeOne, type Db } from '../storage/db.ts';
import { readBlob } from './blobs.ts';
import { documentById } from './documents.sql.ts';
import { attachment, downloadType } from './kept-documents.ts';

interface Exchange {
  db: Db;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** A document as it was uploaded, a piece in memory at a time; whatever it holds, a browser saves it and runs nothing. */
export async function sendDocument(
  { db, request, reply }: Exchange,
  { patientId, documentId }: { patientId: PatientId; documentId: DocumentId },
): Promise<FastifyReply> {
  const row = await maybeOne(db, documentById(patientId, documentId));
  if (!row) throw notFound('The document');
  reply.headers({
    'content-type': downloadType(row),
    'content-length': row.size,
    'content-disposition': attachment(row.path),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  });
  const asked = request.method !== 'HEAD';
  return reply.send(asked ? readBlob(db, { patientId, blobId: documentId }) : Readable.from([]));
}
