import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import * as contract from '../../contract/uploads.ts';
import { guard, serve, type Routes } from '../http/serve.ts';
import { notFound, Refusal } from '../kernel/refusal.ts';
import { maybeOne } from '../storage/db.ts';
import { ARCHIVE_LIMITS } from './limits.ts';
import { receiveUpload, type Deps, type Receive } from './receive-upload.ts';
import * as statements from './uploads.sql.ts';

export function uploadRoutes(routes: Routes, deps: Deps): void {
  void routes.app.register(async (app) => {
    await app.register(multipart, {
      limits: { fileSize: ARCHIVE_LIMITS.compressedBytes, fields: 20, parts: 30, headerPairs: 50 },
      throwFileSizeLimit: false,
    });
    guard({ ...routes, app }, contract.uploadDocuments, async ({ request, reply, params }) => {
      const batchId = await receiveUpload(deps, params.patientId, receiver(request));
      return reply.code(202).send({ batchId });
    });
  });
  serve(routes, contract.listUploadBatches, async ({ params }) => ({
    results: (await deps.db.query(statements.batches(params.patientId))).map(told),
  }));
  serve(routes, contract.getUploadBatch, async ({ params }) => {
    const batch = await maybeOne(deps.db, statements.batch(params.patientId, params.batchId));
    if (!batch) throw notFound('The upload');
    const rejected = await deps.db.query(statements.rejections(params.patientId, params.batchId));
    return { ...told(batch), rejected };
  });
}

const told = (row: statements.BatchRow): Omit<z.input<typeof contract.UploadBatch>, 'rejected'> => ({
  batchId: row.batch_id,
  status: row.status,
  receivedAt: row.received_at.toISOString(),
  completedAt: row.completed_at?.toISOString() ?? null,
  documents: {
    total: row.documents_total,
    processed: row.documents_processed,
    rejected: row.documents_rejected,
  },
  resources: {
    created: row.resources_created,
    updated: row.resources_updated,
    unchanged: row.resources_unchanged,
  },
});

/** Exactly one file, in the field `file`. */
function receiver(request: FastifyRequest): Receive {
  return async (into) => {
    if (!request.isMultipart()) {
      throw new Refusal(415, 'unsupported_media_type', {
        detail: 'Send the archive as multipart/form-data, in the field "file".',
      });
    }
    await oneFileOf(request, into).catch(refuseMalformed);
  };
}

async function oneFileOf(request: FastifyRequest, into: Parameters<Receive>[0]): Promise<void> {
  let files = 0;
  for await (const part of request.parts()) {
    if (part.type !== 'file') continue;
    if (part.fieldname !== 'file' || ++files > 1) throw oneFile();
    await into(part.file);
    refuseTooLarge(part);
  }
  if (files === 0) throw oneFile();
}

/** The form's parser fails with plain errors; a failing disk's, like the framework's, have a code. */
function refuseMalformed(error: Error & { code?: unknown }): never {
  const plain = error.name === 'Error' && error.code === undefined;
  if (!plain && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  throw new Refusal(400, 'malformed_form', {
    detail: 'The form is not well-formed multipart/form-data, or was cut off.',
  });
}

function refuseTooLarge(part: MultipartFile): void {
  if (part.file.truncated)
    throw new Refusal(413, 'archive_too_large', { detail: 'The archive is larger than 100 MiB.' });
}

const oneFile = (): Refusal =>
  new Refusal(400, 'one_file_required', { detail: 'Send exactly one file, in the form field "file".' });
