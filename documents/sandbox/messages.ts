import type { Readable, Writable } from 'node:stream';
import type { Conversion, DocumentToConvert } from '../converter.ts';
import type { ExtractedText } from '../document-text.ts';

/** The only argument of the process. */
export interface ProcessData {
  /** The URL of a module that exports `converters`. */
  modules: string;
  /** Resident bytes, buffers included. */
  memory: number;
  /** The id of the service's process, with which this one ends. */
  service: number;
}

/** A request, as JSON in a frame; the document follows in the next frame. */
export type Request = { ms: number } & (
  | ({ task: 'convert' } & Omit<DocumentToConvert, 'bytes'>)
  | { task: 'text' }
);

/** A reply, as JSON in a frame; the first frame is `ready`. */
export type Reply =
  | { conversion: Conversion }
  | ExtractedText
  | { unreadable: { code: string; message: string } };

/** The file descriptor of the pipe between the two, in both directions. */
export const PIPE = 3;

/**
 * Writes a message with its length before it. Node's own channel between processes is not used: messages from a process
 * that reads hostile documents must be limited in size, and must be JSON and nothing more.
 */
export function writeFrame(pipe: Writable, bytes: Buffer): void {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  pipe.write(length);
  pipe.write(bytes);
}

/** Yields messages until the pipe ends; throws at a message of more than `maxBytes`. */
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
      if (frameLength !== null && frameLength > maxBytes) throw new Error('the message is too long');
      parts = [bytes.subarray(end)];
      size -= end;
    }
  }
  return undefined;
}
