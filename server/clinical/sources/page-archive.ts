import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { ARCHIVE_LIMITS } from '../ingest/archive/limits.ts';
import { SourceFault } from './source-fault.ts';

/**
 * The pages as one archive, byte for byte, for the reading of uploads; throws `too_large` when it would not take it. Each is
 * called after the source, since that is what is shown as where a fact is from.
 */
export async function archivePages(
  folder: string,
  { files, source }: { files: readonly string[]; source: string },
): Promise<string> {
  const archive = path.join(folder, 'pages.zip');
  const zip = new ZipFile();
  for (const file of files) zip.addFile(file, `${path.parse(file).name}/${toMemberName(source)}`);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(archive));
  if ((await fs.stat(archive)).size > ARCHIVE_LIMITS.compressedBytes) throw new SourceFault('too_large');
  return archive;
}

/** No name for a path to lead elsewhere by. */
const toMemberName = (name: string): string => {
  const plain = name.replace(/[/\\\p{Cc}]+/gu, ' ').trim();
  return /^\.*$/.test(plain) || /^(\.DS_Store|thumbs\.db)$/i.test(plain) ? 'source' : plain;
};
