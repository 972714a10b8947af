import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Member } from './member.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/** A member's bytes in a temporary file, which is removed on disposal. */
export interface Spool extends AsyncDisposable {
  file: string;
}

/** Writes a member to disk: a zip's directory is at its end, so a nested archive cannot be read from a stream. */
export async function spool(member: Member): Promise<Spool> {
  const folder = await createTemporaryFolder('nested');
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const file = join(folder, 'nested.zip');
    await pipeline(await member.open(), createWriteStream(file));
    return { file, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
