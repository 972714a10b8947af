import { detectDocumentKind } from '../../../../documents/detect-document-kind.ts';
import type { MemberError } from '../archive/archive-errors.ts';
import type { Coding } from '../archive/codings.ts';
import { ARCHIVE_LIMITS } from '../archive/limits.ts';
import type { MemberObserver } from '../archive/member.ts';
import { createEnvelopeReader, type Envelope } from './envelope.ts';
import { findOwnSign, type SignedMember } from './own-archive.ts';
import type { Reader } from './reader.ts';

/** What the verification found out about a member, so that reading it inflates it no more than once. */
export interface MemberScan extends SignedMember {
  fault: MemberError | null;
  /** How its bytes are decoded before the reader gets them. */
  codings: readonly Coding[];
  /** Nothing but white space. */
  isBlank: boolean;
  /** The first that accepts the member; null where none does. */
  reader: Reader | null;
  contentType: string;
  envelope: Envelope;
}

/** Creates the observer that scans a member while it is verified. */
export function createMemberScanner(
  path: string,
  readers: readonly Reader[],
  onScanned: (scan: MemberScan) => void,
): MemberObserver {
  const parts: Buffer[] = [];
  const envelopeReader = createEnvelopeReader();
  let size = 0;
  let isBlank = true;
  return {
    push(chunk) {
      if (size < ARCHIVE_LIMITS.headBytes) parts.push(chunk);
      if (isBlank) isBlank = isBlankText(size === 0 ? stripByteOrderMark(chunk) : chunk);
      size += chunk.length;
      envelopeReader.push(chunk);
    },
    end({ fault, codings }) {
      const head = Buffer.concat(parts).subarray(0, ARCHIVE_LIMITS.headBytes);
      onScanned({
        path,
        ownSign: fault === null ? findOwnSign(head, path) : null,
        fault,
        codings,
        isBlank,
        reader: readers.find((reader) => reader.accepts(head, path)) ?? null,
        contentType: detectDocumentKind(head, path).contentType,
        envelope: envelopeReader.envelope(),
      });
    },
  };
}

const isBlankText = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));

const stripByteOrderMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
