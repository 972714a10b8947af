import type { PassThrough } from 'node:stream';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  path: string;
  modified: Date;
  /** Read when its turn has come, as fast as the reader takes it. */
  bytes: AsyncIterable<Buffer | string> | Iterable<Buffer | string>;
}

/**
 * An archive as it is made, one member in memory at a time. Members are asked for one after another; when the reader
 * goes away nobody is asked any more, and when a member fails the stream breaks off: half an archive does not open.
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
