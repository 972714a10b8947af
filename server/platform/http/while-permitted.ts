import { BrokenOff } from './chunk-stream.ts';
import type { ZipEntry } from './zip-stream.ts';

/** Bytes after which it is asked again: about a second of a fast connection. */
const CHECK_BYTES = 4 * 1024 * 1024;

/**
 * Passes on the entries of an archive for as long as its reader may have them: it may take hours, in which a session is ended or the
 * account deleted. Then, and where that has happened by the end, the archive is broken off: what was gone meanwhile would be
 * missing in one that looks complete.
 */
export async function* whilePermitted(
  zipEntries: AsyncIterable<ZipEntry>,
  requireStillPermitted: () => Promise<void>,
): AsyncGenerator<ZipEntry> {
  let left = CHECK_BYTES;
  const check = (): Promise<void> =>
    requireStillPermitted().catch((error: unknown) => {
      throw new BrokenOff(error as Error);
    });
  async function* meter({ bytes }: ZipEntry): AsyncGenerator<Buffer | string> {
    for await (const chunk of bytes) {
      left -= chunk.length;
      if (left <= 0) {
        await check();
        left = CHECK_BYTES;
      }
      yield chunk;
    }
  }
  for await (const zipEntry of zipEntries) yield { ...zipEntry, bytes: meter(zipEntry) };
  await check();
}
