import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DocumentError, type Conversion, type DocumentToConvert } from '../../../../documents/converter.ts';

type Convert = (document: DocumentToConvert) => Promise<Conversion>;

type Outcome = { conversion: Conversion } | { unreadable: { code: string; message: string } };

/**
 * Converts each document once and caches the outcome in `folder`. An archive is read twice, with the same result: a
 * document that takes nearly too long might be converted at one time and not at the other.
 */
export const cacheConversions =
  (folder: string, convert: Convert): Convert =>
  async (document) => {
    const name = createHash('sha256').update(document.documentId).digest('hex');
    const file = path.join(folder, `document-${name}.json`);
    let outcome = await readOutcome(file);
    if (outcome === null) {
      outcome = await runConversion(convert, document);
      await writeFile(file, JSON.stringify(outcome), { mode: 0o600 });
    }
    if ('conversion' in outcome) return outcome.conversion;
    throw new DocumentError(outcome.unreadable.code, outcome.unreadable.message);
  };

async function readOutcome(file: string): Promise<Outcome | null> {
  const text = await readFile(file, 'utf8').catch(ignoreMissing);
  return text === null ? null : (JSON.parse(text) as Outcome);
}

async function runConversion(convert: Convert, document: DocumentToConvert): Promise<Outcome> {
  try {
    return { conversion: await convert(document) };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { unreadable: { code: error.code, message: error.message } };
  }
}

function ignoreMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}
