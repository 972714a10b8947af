import { createHash } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import {
  DocumentError,
  type Conversion,
  type ConvertedBundle,
  type DocumentToConvert,
} from '../../../../documents/converter.ts';
import { DOCUMENT_LIMITS } from '../../../../documents/document-limits.ts';
import { detectDocumentKind, REFUSAL_MESSAGES } from '../../../../documents/detect-document-kind.ts';
import { isReadable } from '../../../../documents/magic-bytes.ts';
import { RESOURCE_REJECTIONS } from '../../../../documents/fhir/resource-rejections.ts';
import { readSlice } from './bundle-entries.ts';
import type { ResourceLocation } from './fhir-resource.ts';
import { MemberError } from '../archive/archive-errors.ts';
import type { Member, Rejection } from '../archive/member.ts';
import { spool, type Spool } from '../archive/spool.ts';
import { createLabelCollector, type LabelCollector } from './collect-labels.ts';
import type { MemberItem, Reader } from './reader.ts';

interface Deps {
  /** Throws DocumentError. */
  convert(document: DocumentToConvert): Promise<Conversion>;
  deriveDocumentId(document: { sha256: Buffer; path: string }): string;
}

/**
 * Creates the reader of every file that is no FHIR JSON. What the file is, is found out where it is converted, apart from
 * this process. It is stored as it was uploaded, readable or not.
 */
export const createDocumentReader = (deps: Deps): Reader => ({
  name: 'document',
  accepts: () => true,
  async *read(member) {
    const { path } = member;
    await using spooled = await spool(member.packed ?? member);
    const bytes = await readDocument(spooled);
    const head = bytes ?? (await readHead(spooled.file));
    yield {
      original: {
        contentType: detectDocumentKind(head.subarray(0, HEAD_BYTES), path).contentType,
        file: spooled.file,
      },
    };
    if (bytes === null)
      yield createRejection(
        path,
        'document_too_large',
        `The document is larger than ${DOCUMENT_LIMITS.documentBytes / 1024 / 1024} MiB.`,
      );
    // Pictures and archives are recognized without a process.
    else if (!isReadable(head.subarray(0, HEAD_BYTES)))
      yield createRejection(path, 'unsupported_kind', REFUSAL_MESSAGES.unsupported_kind);
    else yield* convertMember(deps, path, bytes);
  },
});

/** Yields the bytes of a file that is not read, for the patient. */
export async function* keepUnread(member: Member, uploadedAs?: string): AsyncGenerator<MemberItem> {
  const { path } = member;
  try {
    await using spooled = await spool(member);
    const { contentType } = detectDocumentKind(await readHead(spooled.file), path);
    yield { original: { contentType, file: spooled.file, ...(uploadedAs !== undefined && { uploadedAs }) } };
  } catch (error) {
    if (!(error instanceof MemberError)) throw error;
    yield createRejection(path, error.code, error.message);
  }
}

async function* convertMember(deps: Deps, path: string, bytes: Buffer): AsyncGenerator<MemberItem> {
  const sha256 = createHash('sha256').update(bytes).digest();
  try {
    const {
      resources,
      notices,
      bundles = [],
    } = await deps.convert({
      bytes,
      path,
      documentId: deps.deriveDocumentId({ sha256, path }),
    });
    const collectors = bundles.map(createBundleLabels);
    for (const { text, fullUrl, position, isServerMessage } of resources)
      if (isServerMessage)
        yield createRejection(
          formatPath(path, position),
          'server_message',
          RESOURCE_REJECTIONS.server_message,
        );
      else
        for (const item of readConverted({ path, position, fullUrl }, text)) {
          for (const collector of collectors) collector.observe(item);
          yield item;
        }
    for (const collector of collectors) yield* collector.finish();
    for (const { position, code, message } of notices)
      yield createRejection(formatPath(path, position), code, message);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    yield createRejection(path, error.code, error.message);
  }
}

function createBundleLabels({ security, ...bundle }: ConvertedBundle): LabelCollector {
  const collector = createLabelCollector(bundle);
  collector.addMeta({ security });
  return collector;
}

/** Reads a resource that was converted; of Parameters, which lie in as many Bundles as their position has entries, those within. */
const readConverted = (location: ResourceLocation, text: string): Iterable<MemberItem> =>
  readSlice(
    { key: '', index: -1, bytes: Buffer.from(text) },
    location,
    location.position === '' ? 0 : location.position.split('.').length,
  );

const formatPath = (path: string, position: string): string =>
  position === '' ? path : `${path}#${position}`;

const createRejection = (path: string, code: string, message: string): { rejection: Rejection } => ({
  rejection: { path, code, message },
});

/** Returns the bytes; null where there are more than a document may have. */
async function readDocument({ file }: Spool): Promise<Buffer | null> {
  const { size } = await stat(file);
  return size <= DOCUMENT_LIMITS.documentBytes ? readFile(file) : null;
}

async function readHead(file: string): Promise<Buffer> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

const HEAD_BYTES = 64 * 1024;
