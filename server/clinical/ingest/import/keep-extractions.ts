import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { computeDigest } from '../../entries/attachment.ts';
import type { ExtractText } from './attachment-texts.ts';

/**
 * Extracts each document once, and keeps what was found in a folder: it is asked for when it is not yet known whose the upload is,
 * and again when entries are built.
 */
export function keepExtractions(extractText: ExtractText, folder: string): ExtractText {
  const kept = new Set<string>();
  return async (document) => {
    const digest = computeDigest(document);
    const file = path.join(folder, `text-${digest}`);
    if (kept.has(digest)) return JSON.parse(await readFile(file, 'utf8')) as Awaited<ReturnType<ExtractText>>;
    const extracted = await extractText(document);
    await writeFile(file, JSON.stringify(extracted));
    kept.add(digest);
    return extracted;
  };
}
