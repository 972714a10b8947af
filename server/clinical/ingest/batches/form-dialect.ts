import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../../platform/http/app.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { ARCHIVE_LIMITS } from '../archive/limits.ts';
import type { FileReceiver } from './receive-upload.ts';

/** Registers the parser of forms: routes that are registered on `app` after this read forms part by part. */
export async function registerMultipart(app: App): Promise<void> {
  await app.register(multipart, {
    limits: { fileSize: ARCHIVE_LIMITS.compressedBytes, fields: 20, parts: 30, headerPairs: 50 },
    throwFileSizeLimit: false,
  });
}

interface FormCall {
  request: FastifyRequest;
  /** Throws where the caller may no longer do this. */
  requireStillPermitted(): Promise<void>;
}

/** Creates the receiver of exactly one file, in the field `file`, from a caller who is still permitted once it is there. */
export function createFileReceiver({ request, requireStillPermitted }: FormCall): FileReceiver {
  return async (into) => {
    if (!request.isMultipart()) {
      throw new Refusal(415, 'unsupported_media_type', {
        detail: 'Send the archive as multipart/form-data, in the field "file".',
        headers: { accept: 'multipart/form-data' },
      });
    }
    // Before a byte of it is read, where the client says how large it is.
    if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) throw createTooLargeRefusal();
    await receiveFile(request, into).catch(refuseMalformed);
    // The file had an hour to arrive.
    await requireStillPermitted();
  };
}

async function receiveFile(request: FastifyRequest, into: Parameters<FileReceiver>[0]): Promise<void> {
  let files = 0;
  // The parser listens for the end of the connection, and would wait for ever where that was before it began.
  if (request.raw.destroyed) throw createMalformedRefusal();
  for await (const part of request.parts()) {
    if (part.type !== 'file') continue;
    if (part.fieldname !== 'file' || ++files > 1) throw createFileCountRefusal();
    await into(part.file, part.filename);
    refuseTooLarge(part);
  }
  if (files === 0) throw createFileCountRefusal();
}

/** Refuses a malformed form: its parser fails with plain errors; errors of the disk and the framework have a code. */
function refuseMalformed(error: Error & { code?: unknown }): never {
  const plain = error.name === 'Error' && error.code === undefined;
  if (!plain && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  throw createMalformedRefusal();
}

const createMalformedRefusal = (): Refusal =>
  new Refusal(400, 'malformed_form', {
    detail: 'The form is not well-formed multipart/form-data, or was cut off.',
  });

/** A form of the largest archive, with what else a form may hold. */
const MAX_FORM_BYTES = ARCHIVE_LIMITS.compressedBytes + 1024 * 1024;

function refuseTooLarge(part: MultipartFile): void {
  if (part.file.truncated) throw createTooLargeRefusal();
}

const createTooLargeRefusal = (): Refusal =>
  new Refusal(413, 'archive_too_large', {
    detail: `The archive is larger than ${ARCHIVE_LIMITS.compressedBytes / 1024 / 1024} MiB.`,
  });

const createFileCountRefusal = (): Refusal =>
  new Refusal(400, 'one_file_required', { detail: 'Send exactly one file, in the form field "file".' });
