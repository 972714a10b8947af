import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { App } from '../http/app.ts';
import { Refusal } from '../kernel/refusal.ts';
import { ARCHIVE_LIMITS } from './limits.ts';
import type { Receive } from './receive-upload.ts';

/** Routes that are registered on `app` after this read forms part by part, in their own time. */
export async function readForms(app: App): Promise<void> {
  await app.register(multipart, {
    limits: { fileSize: ARCHIVE_LIMITS.compressedBytes, fields: 20, parts: 30, headerPairs: 50 },
    throwFileSizeLimit: false,
  });
}

/** Exactly one file, in the field `file`. */
export function receiver(request: FastifyRequest): Receive {
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
