import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DocumentUnreadable, type Conversion, type DocumentToConvert } from './converter.ts';

type Convert = (document: DocumentToConvert) => Promise<Conversion>;

type Outcome = { conversion: Conversion } | { unreadable: { code: string; message: string } };

/**
 * Each document is converted once, and what came of it lies in `folder` for the next time. An archive is read twice, and
 * must be found the same: a document that takes nearly too long might be read at one time and not at the other.
 */
export const remembered =
  (folder: string, convert: Convert): Convert =>
  async (document) => {
    const name = createHash('sha256').update(document.documentId).digest('hex');
    const file = path.join(folder, `document-${name}.json`);
    let outcome = await outcomeIn(file);
    if (outcome === null) {
      outcome = await outcomeOf(convert, document);
      await writeFile(file, JSON.stringify(outcome), { mode: 0o600 });
    }
    if ('conversion' in outcome) return outcome.conversion;
    throw new DocumentUnreadable(outcome.unreadable.code, outcome.unreadable.message);
  };

async function outcomeIn(file: string): Promise<Outcome | null> {
  const text = await readFile(file, 'utf8').catch(unlessMissing);
  return text === null ? null : (JSON.parse(text) as Outcome);
}

async function outcomeOf(convert: Convert, document: DocumentToConvert): Promise<Outcome> {
  try {
    return { conversion: await convert(document) };
  } catch (error) {
    if (!(error instanceof DocumentUnreadable)) throw error;
    return { unreadable: { code: error.code, message: error.message } };
  }
}

function unlessMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}
