import type { Readable } from 'node:stream';
import type { MemberError } from './archive-errors.ts';
import type { Coding } from './codings.ts';

/** A member that could not be read, as the batch reports it. `path` is the member's path, with `#…` the position inside. */
export interface Rejection {
  path: string;
  /** snake_case, stable. */
  code: string;
  /** One sentence in plain English that never quotes the record's content. */
  message: string;
}

/** One file of an archive, after the checks on its path and its kind. */
export interface Member {
  /** With `/` as separator; `outer.zip/inner.json` for a member of a nested archive. */
  path: string;
  /** Gives the inflated bytes; each call inflates anew. Limits and CRC-32 are enforced while they flow. */
  open(): Promise<Readable>;
  /** The member as it lies in the archive, where this one is its content decoded. */
  packed?: Member;
}

/** Looks on while a member is verified. */
export interface MemberObserver {
  /** The content, decoded. */
  push(chunk: Buffer): void;
  /** Called once, after the last chunk; `fault` says why the member can't be read. */
  end(outcome: { codings: readonly Coding[]; fault: MemberError | null }): void;
}
