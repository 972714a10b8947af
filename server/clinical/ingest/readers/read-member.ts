import { detectDocumentKind, REFUSAL_MESSAGES } from '../../../../documents/detect-document-kind.ts';
import { gunzipMember, isGzip } from '../archive/gzip-member.ts';
import { ARCHIVE_LIMITS } from '../archive/limits.ts';
import type { MemberItem, Member, Reader } from '../archive/reader.ts';
import { fhirJsonReader } from './fhir-json.ts';
import { ndjsonReader } from './ndjson.ts';
import { MemberError } from '../archive/archive-errors.ts';

/** In the order they are asked, before whoever reads all other documents. */
export const READERS: readonly Reader[] = [ndjsonReader, fhirJsonReader];

/** Everything in a member, by the first reader that accepts it. Only a failing disk makes it throw. */
export async function* readMember(
  member: Member,
  readers: readonly Reader[] = READERS,
): AsyncGenerator<MemberItem> {
  const { path } = member;
  try {
    const unpacked = isGzip(await readFirstChunk(member)) ? gunzipMember(member) : member;
    const { head, blank } = await scanMember(unpacked);
    const reader = readers.find((reader) => reader.accepts(head, path));
    if (blank && LIST_FILE.test(path)) return;
    if (blank) yield { rejection: { path, code: 'empty', message: 'The file is empty.' } };
    else if (reader) yield* limitRejections(reader.read(unpacked), path);
    else yield* keepUnsupported(path, head);
  } catch (error) {
    if (!(error instanceof MemberError)) throw error;
    yield { rejection: { path, code: error.code, message: error.message } };
  }
}

function* keepUnsupported(path: string, head: Buffer): Generator<MemberItem> {
  yield { original: { contentType: detectDocumentKind(head, path).contentType } };
  yield { rejection: { path, code: 'unsupported_kind', message: REFUSAL_MESSAGES.unsupported_kind } };
}

/** A list without lines is a list: bulk exports hold an empty file for each type a patient has nothing of. */
const LIST_FILE = /\.(ndjson|jsonl)(\.gz)?$/i;

async function readFirstChunk(member: Member): Promise<Buffer> {
  for await (const chunk of await member.open()) return chunk as Buffer;
  return Buffer.alloc(0);
}

/**
 * Reads the member to its end before any reader does: its CRC-32 stands at the end, and nothing of a file with a
 * flipped bit may reach a health record. Costs one more inflation, 0.1 s for 60 MB.
 */
async function scanMember(member: Member): Promise<{ head: Buffer; blank: boolean }> {
  const parts: Buffer[] = [];
  let size = 0;
  let blank = true;
  for await (const chunk of (await member.open()) as AsyncIterable<Buffer>) {
    if (size < ARCHIVE_LIMITS.headBytes) parts.push(chunk);
    if (blank) blank = isBlank(size === 0 ? stripByteOrderMark(chunk) : chunk);
    size += chunk.length;
  }
  return { head: Buffer.concat(parts).subarray(0, ARCHIVE_LIMITS.headBytes), blank };
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

function stripByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** A log of a million lines must not become a million rejections: the first hundred, then their number. */
async function* limitRejections(items: AsyncIterable<MemberItem>, path: string): AsyncGenerator<MemberItem> {
  let rejections = 0;
  for await (const item of items) {
    if ('rejection' in item) rejections += 1;
    if (!('rejection' in item) || rejections <= ARCHIVE_LIMITS.rejectionsPerMember) yield item;
  }
  const omitted = rejections - ARCHIVE_LIMITS.rejectionsPerMember;
  const message = `${omitted} more places in this file could not be read.`;
  if (omitted > 0) yield { rejection: { path, code: 'more_rejections', message } };
}
