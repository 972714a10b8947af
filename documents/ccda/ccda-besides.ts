import { decodeText } from '../text/decode-text.ts';
import { CONFIDENTIALITY, toCodeSystem } from './code-systems.ts';

/**
 * Returns what a C-CDA holds beside its narratives: all of its markup, with the names of codes, comments and texts of entries,
 * and its codes and degrees of confidentiality as JSON. The narrative should say all of it (CDA R2 §1.1), which no sender is held to.
 */
export function readCcdaBesides(bytes: Buffer): string[] {
  const { text: xml } = decodeText(bytes);
  const codings: ({ system: string; code: string } | { confidentiality: string })[] = [];
  for (const [tag] of xml.matchAll(/<[^<>]*>/g)) {
    const code = readAttribute(tag, CODE);
    const system = toCodeSystem(readAttribute(tag, CODE_SYSTEM));
    if (code !== undefined && system !== undefined) codings.push({ system, code });
    // Of the document, a section or an entry (security-labels.ts): what it is attached to is given out as a whole.
    if (code !== undefined && (system === CONFIDENTIALITY || CONFIDENTIALITY_TAG.test(tag)))
      codings.push({ confidentiality: code });
  }
  return [decodeReferences(xml), JSON.stringify(codings)];
}

const CONFIDENTIALITY_TAG = /^<(?:[\w.-]{1,40}:)?confidentialityCode\s/;

const CODE = /\scode\s?=\s?["']([^"']{1,100})["']/;
const CODE_SYSTEM = /\scodeSystem\s?=\s?["']([^"']{1,100})["']/;

const readAttribute = (tag: string, pattern: RegExp): string | undefined => pattern.exec(tag)?.[1];

/** A letter may be written as its number, also within a word. */
const decodeReferences = (xml: string): string =>
  xml.replace(
    /&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi,
    (written, hex: string | undefined, decimal: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : written;
    },
  );
