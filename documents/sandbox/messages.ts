import type { Readable, Writable } from 'node:stream';
import type { Conversion, DocumentToConvert } from '../converter.ts';

/** What a process for documents is started with, as its only argument. */
export interface ProcessData {
  /** The URL of a module that exports `converters`. */
  modules: string;
  /** Bytes of memory, all in all. */
  memory: number;
}

/** As JSON in a frame of its own; the document follows in the next. */
export type Request = { ms: number } & (
  | ({ task: 'convert' } & Omit<DocumentToConvert, 'bytes'>)
  | { task: 'text' }
);

/** As JSON in a frame, after one with `ready`. */
export type Reply =
  | { conversion: Conversion }
  | { text: string | null }
  | { unreadable: { code: string; message: string } };

/** The pipe between the two, in both directions. */
export const PIPE = 3;

/**
 * Messages over a pipe, each with its length before it. Not over the channel that Node gives two processes: what comes
 * from a process that reads hostile documents is to have a limit, and to be JSON and nothing more.
 */
export function writeFrame(pipe: Writable, bytes: Buffer): void {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  pipe.write(length);
  pipe.write(bytes);
}

/** Ends with the pipe; throws at a message of more than `most` bytes. */
export async function* readFrames(pipe: Readable, maxBytes: number): AsyncGenerator<Buffer, undefined> {
  let parts: Buffer[] = [];
  let size = 0;
  let frameLength: number | null = null;
  for await (const chunk of pipe as AsyncIterable<Buffer>) {
    parts.push(chunk);
    size += chunk.length;
    while (size >= (frameLength ?? 4)) {
      const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
      const end = frameLength ?? 4;
      if (frameLength !== null) yield bytes.subarray(0, end);
      frameLength = frameLength === null ? bytes.readUInt32BE() : null;
      if (frameLength !== null && frameLength > maxBytes) throw new Error('a message that is too long');
      parts = [bytes.subarray(end)];
      size -= end;
    }
  }
  return undefined;
}
