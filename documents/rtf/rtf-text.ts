import { DocumentError } from '../converter.ts';
import { tidyLines } from '../text/tidy-lines.ts';
import { createRtfReader } from './rtf-reader.ts';
import { tokenizeRtf } from './rtf-tokens.ts';

export interface RtfText {
  text: string;
  /** The day of creation according to the document, as YYYY-MM-DD. */
  created: string | null;
  /** False when the file ends before its groups do. */
  complete: boolean;
}

/** Extracts the text of an RTF document, a line per paragraph and per table row. Throws DocumentError. */
export function extractRtfText(bytes: Buffer): string {
  return readRtf(bytes).text;
}

export function isRtf(bytes: Buffer): boolean {
  return /^\s{0,16}\{\\rtf/.test(bytes.toString('latin1', 0, 32));
}

/** Throws DocumentError. */
export function readRtf(bytes: Buffer): RtfText {
  if (!isRtf(bytes)) throw new DocumentError('not_rtf', 'The file is not an RTF document.');
  const reader = createRtfReader();
  for (const token of tokenizeRtf(bytes)) {
    reader.push(token);
    if (reader.isComplete()) break;
  }
  return { text: tidyLines(reader.text()), created: reader.created(), complete: reader.isComplete() };
}
