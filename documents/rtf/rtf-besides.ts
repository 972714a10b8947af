import type { WordsBesides } from '../converter.ts';
import { tokenizeRtf } from './rtf-tokens.ts';
import { TEXT_BY_CONTROL_WORD } from './rtf-words.ts';

/** Pictures and embedded files, whose bytes are no words. */
const HOLDS_OTHER = ['\\pict', '\\objdata'];

/**
 * Returns all letters of an RTF, also those that it says not to show: properties, comments by who made them, deleted text, what
 * a field is computed of, groups that readers skip, and what follows the end.
 */
export function readRtfBesides(bytes: Buffer): WordsBesides {
  if (HOLDS_OTHER.some((word) => bytes.includes(word))) return { words: [], isComplete: false };
  const parts: string[] = [];
  for (const token of tokenizeRtf(bytes)) {
    if (token.kind === 'bytes') parts.push(token.bytes.toString('latin1'));
    else if (token.kind === 'close') parts.push(' ');
    else if (token.kind === 'word' && token.name === 'u')
      parts.push(String.fromCharCode((token.value ?? 0) & 0xffff));
    else if (token.kind === 'word') parts.push(TEXT_BY_CONTROL_WORD.get(token.name) ?? '');
  }
  return { words: [parts.join('')], isComplete: true };
}
