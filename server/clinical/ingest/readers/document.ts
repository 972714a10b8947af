import { createHash } from 'node:crypto';
import { DocumentError, type Conversion, type DocumentToConvert } from '../../../../documents/converter.ts';
import { DOCUMENT_LIMITS } from '../../../../documents/document-limits.ts';
import { detectDocumentKind, REFUSAL_MESSAGES } from '../../../../documents/detect-document-kind.ts';
import { isReadable } from '../../../../documents/magic-bytes.ts';
import { parseUploadedResource } from './fhir-resource.ts';
import type { MemberItem, Member, Reader, Rejection } from '../archive/reader.ts';

interface Deps {
  /** Throws DocumentError. */
  convert(document: DocumentToConvert): Promise<Conversion>;
  deriveDocumentId(document: { sha256: Buffer; path: string }): string;
}

/**
 * Every file that is no FHIR JSON: what it is, is found out where it is read, apart from this process. It is kept as it
 * came, readable or not.
 */
export const createDocumentReader = (deps: Deps): Reader => ({
  name: 'document',
  accepts: () => true,
  async *read(member) {
    const { path } = member;
    const { bytes, head } = await readMemberBytes(member.packed ?? member);
    yield { original: { contentType: detectDocumentKind(head, path).contentType } };
    if (bytes === null)
      yield createRejection(path, 'document_too_large', 'The document is larger than 64 MiB.');
    // Pictures and archives need no process to be told apart.
    else if (!isReadable(head))
      yield createRejection(path, 'unsupported_kind', REFUSAL_MESSAGES.unsupported_kind);
    else yield* convertMember(deps, path, bytes);
  },
});

async function* convertMember(deps: Deps, path: string, bytes: Buffer): AsyncGenerator<MemberItem> {
  const sha256 = createHash('sha256').update(bytes).digest();
  try {
    const { resources, notices } = await deps.convert({
      bytes,
      path,
      documentId: deps.deriveDocumentId({ sha256, path }),
    });
    for (const { text, fullUrl, position } of resources)
      yield parseUploadedResource({ path, position, fullUrl }, Buffer.from(text));
    for (const { position, code, message } of notices)
      yield createRejection(formatPath(path, position), code, message);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    yield createRejection(path, error.code, error.message);
  }
}

const formatPath = (path: string, position: string): string =>
  position === '' ? path : `${path}#${position}`;

const createRejection = (path: string, code: string, message: string): { rejection: Rejection } => ({
  rejection: { path, code, message },
});

/** All of it, or null where that is more than a document has; and its start. */
async function readMemberBytes(member: Member): Promise<{ bytes: Buffer | null; head: Buffer }> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of (await member.open()) as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The rest is read as well: what is wrong with a member may stand at its end.
    if (size <= DOCUMENT_LIMITS.documentBytes || parts.length === 0) parts.push(chunk);
  }
  const bytes = Buffer.concat(parts);
  const head = bytes.subarray(0, HEAD_BYTES);
  return { bytes: size <= DOCUMENT_LIMITS.documentBytes ? bytes : null, head };
}

const HEAD_BYTES = 64 * 1024;
