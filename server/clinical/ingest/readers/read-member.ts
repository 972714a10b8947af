import { REFUSAL_MESSAGES } from '../../../../documents/detect-document-kind.ts';
import { decodeMember } from '../archive/decode-member.ts';
import { ARCHIVE_LIMITS } from '../archive/limits.ts';
import { MemberError } from '../archive/archive-errors.ts';
import type { Member } from '../archive/member.ts';
import { spool } from '../archive/spool.ts';
import { LOSSLESS_REJECTIONS } from '../../store/unread-places.sql.ts';
import { keepUnread } from './document.ts';
import { fhirJsonReader } from './fhir-json.ts';
import { jsonSequenceReader } from './json-sequence.ts';
import { ndjsonReader } from './ndjson.ts';
import type { MemberItem, Reader } from './reader.ts';
import type { MemberScan } from './scan-member.ts';

/** In the order they are asked, before the reader of all other documents. */
export const READERS: readonly Reader[] = [jsonSequenceReader, ndjsonReader, fhirJsonReader];

/** Yields everything in a member, by the reader that its scan found. Only a failing disk makes it throw. */
export async function* readMember(member: Member, scan: MemberScan): AsyncGenerator<MemberItem> {
  const { path } = member;
  const { fault, codings, isBlank, reader, envelope } = scan;
  try {
    if (fault) throw fault;
    if (isBlank && LIST_FILE.test(path)) return;
    if (isBlank) yield { rejection: { path, code: 'empty', message: 'The file is empty.' } };
    else if (reader)
      yield* keepIfUnread(
        member,
        limitRejections(
          reader.read(codings.length > 0 ? decodeMember(member, codings) : member, envelope),
          path,
        ),
      );
    else yield* keepUnsupported(member, scan);
  } catch (error) {
    if (!(error instanceof MemberError)) throw error;
    yield { rejection: { path, code: error.code, message: error.message } };
  }
}

async function* keepUnsupported(member: Member, { contentType }: MemberScan): AsyncGenerator<MemberItem> {
  const { path } = member;
  await using spooled = await spool(member);
  yield { original: { contentType, file: spooled.file } };
  yield { rejection: { path, code: 'unsupported_kind', message: REFUSAL_MESSAGES.unsupported_kind } };
}

/** Records go where they are read; a file of which nothing could be read is kept for the patient as any other document is. */
async function* keepIfUnread(member: Member, items: AsyncIterable<MemberItem>): AsyncGenerator<MemberItem> {
  let isLost = false;
  let isKept = false;
  for await (const item of items) {
    if ('rejection' in item) isLost ||= !LOSSLESS_REJECTIONS.includes(item.rejection.code);
    else if (!('labeled' in item)) isKept = true;
    yield item;
  }
  if (isLost && !isKept) yield* keepUnread(member);
}

/**
 * Yields a document of a download of ours as it was uploaded. What was read of it is in that download's record; read once more
 * it would be in the record twice.
 */
export async function* readOwnDocument(
  member: Member,
  scan: MemberScan,
  uploadedAs: string,
): AsyncGenerator<MemberItem> {
  const { path } = member;
  const { fault, isBlank, reader } = scan;
  if (fault !== null) yield { rejection: { path, code: fault.code, message: fault.message } };
  if (fault !== null || isBlank) return;
  // FHIR of an archive that was kept as it came is in the record, too.
  const isRecord = reader !== null && reader.name !== 'document' && (await holdsResources(member, scan));
  if (!isRecord) yield* keepUnread(member, uploadedAs);
}

async function holdsResources(member: Member, scan: MemberScan): Promise<boolean> {
  for await (const item of readMember(member, scan)) if ('found' in item) return true;
  return false;
}

/** A list without lines is a list: bulk exports hold an empty file for each type of which a patient has no resource. */
const LIST_FILE = /\.(ndjson|jsonl)(\.gz)?$/i;

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
