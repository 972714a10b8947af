import type { Readable } from 'node:stream';
import type { FoundResource } from '../../store/found-resource.ts';

/** A member that could not be read, as the batch reports it. `path` is the member's path, `#…` its place inside. */
export interface Rejection {
  path: string;
  /** snake_case, stable. */
  code: string;
  /** One sentence in plain English that never quotes the record's content. */
  message: string;
}

/** One file of an archive, after the checks on its path and its kind; opens as often as wanted. */
export interface Member {
  /** With `/` as separator; `outer.zip/inner.json` for a member of a nested archive. */
  path: string;
  /** Inflated bytes; the archive's limits and the member's CRC-32 are enforced while it flows. */
  open(): Promise<Readable>;
  /** The member as it lies in the archive, where this one is its content unpacked. */
  packed?: Member;
}

/** A resource, or why there is none. */
export type ResourceItem = { found: FoundResource } | { rejection: Rejection };

/** `original`: the member is a document to be kept as it came, whatever else is found in it. */
export type MemberItem = ResourceItem | { original: { contentType: string } };

/** A kind of file. Readers are asked in order; the first that accepts reads the member. */
export interface Reader {
  name: string;
  /** `head` is the start of the member (up to 64 KiB, inflated when it was gzip). */
  accepts(head: Buffer, path: string): boolean;
  /** Findings in the order of the file; throws nothing about content: what is wrong is a rejection. */
  read(member: Member): AsyncIterable<MemberItem>;
}
