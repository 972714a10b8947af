import { DocumentUnreadable } from '../converter.ts';
import { tidyLines } from '../tidy-lines.ts';
import { rtfReader } from './rtf-reader.ts';
import { rtfTokens } from './rtf-tokens.ts';

export interface RtfText {
  text: string;
  /** The day the document says it was written, as YYYY-MM-DD. */
  created: string | null;
  /** False when the file ends before its groups do. */
  complete: boolean;
}

/** The words of an RTF document, a line per paragraph and per table row. Throws DocumentUnreadable. */
export function textOfRtf(bytes: Buffer): string {
  return readRtf(bytes).text;
}

export function isRtf(bytes: Buffer): boolean {
  return /^\s{0,16}\{\\rtf/.test(bytes.toString('latin1', 0, 32));
}

/** Throws DocumentUnreadable. */
export function readRtf(bytes: Buffer): RtfText {
  if (!isRtf(bytes)) throw new DocumentUnreadable('not_rtf', 'The file is not an RTF document.');
  const reader = rtfReader();
  for (const token of rtfTokens(bytes)) {
    reader.take(token);
    if (reader.ended()) break;
  }
  return { text: tidyLines(reader.text()), created: reader.created(), complete: reader.ended() };
}
