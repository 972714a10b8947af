import type { PassThrough } from 'node:stream';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  path: string;
  modified: Date;
  /** Read when its turn comes, as fast as the client reads. */
  bytes: AsyncIterable<Buffer | string> | Iterable<Buffer | string>;
}

/**
 * Streams an archive while it is made, one entry in memory at a time. When the client goes away no further entry is
 * read; when an entry fails the stream breaks off, since half an archive does not open.
 */
export function createZipStream(zipEntries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const controller = new AbortController();
  output.once('close', () => controller.abort());
  const destroyOutput = (error: unknown): void => void output.destroy(error as Error);
  zip.on('error', destroyOutput);
  writeEntries(zip, zipEntries, controller.signal).catch(destroyOutput);
  return output;
}

async function writeEntries(
  zip: ZipFile,
  zipEntries: AsyncIterable<ZipEntry>,
  signal: AbortSignal,
): Promise<void> {
  for await (const { path, modified, bytes } of zipEntries) {
    signal.throwIfAborted();
    const content = Readable.from(bytes, { objectMode: false, signal: signal });
    zip.addReadStream(content, path, { mtime: modified });
    await finished(content);
  }
  zip.end();
}
