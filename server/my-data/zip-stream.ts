import type { PassThrough } from 'node:stream';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ArchiveMember {
  path: string;
  modified: Date;
  /** Read when its turn has come, as fast as the reader takes it. */
  bytes: AsyncIterable<Buffer | string> | Iterable<Buffer | string>;
}

/**
 * An archive as it is made, one member in memory at a time. Members are asked for one after another; when the reader
 * goes away nobody is asked any more, and when a member fails the stream breaks off: half an archive does not open.
 */
export function zipStream(members: AsyncIterable<ArchiveMember>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const gone = new AbortController();
  output.once('close', () => gone.abort());
  const breakOff = (error: unknown): void => void output.destroy(error as Error);
  zip.on('error', breakOff);
  fill(zip, members, gone.signal).catch(breakOff);
  return output;
}

async function fill(zip: ZipFile, members: AsyncIterable<ArchiveMember>, gone: AbortSignal): Promise<void> {
  for await (const { path, modified, bytes } of members) {
    gone.throwIfAborted();
    const source = Readable.from(bytes, { objectMode: false, signal: gone });
    zip.addReadStream(source, path, { mtime: modified });
    await finished(source);
  }
  zip.end();
}
