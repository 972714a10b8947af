import { htmlToText } from '../../../../documents/html/html-to-text.ts';
import { locateMembers, spellBytes, type Pointer } from '../../labels/locate-members.ts';
import { isSafeNarrative } from './narrative.ts';

/** A text without any of these holds no markup; an escape may stand for any letter. */
const MAY_HOLD_MARKUP = /<|\\u/i;

/**
 * Writes the words of each unsafe narrative without their markup, and leaves every other byte of a resource as it is; null
 * where nothing is unsafe. To refuse the resource would lose what its elements and its narrative say: an allergy because of
 * how its page was made. A new narrative is made of escaped text alone, so that there is no sanitizer to bypass.
 */
export function cleanNarratives(text: string, resource: object): string | null {
  if (!MAY_HOLD_MARKUP.test(text)) return null;
  const unsafe: Narrative[] = [];
  collectUnsafe(unsafe, resource, { way: [], isDiv: false });
  if (unsafe.length === 0) return null;
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  let at = 0;
  const found = locateMembers(
    spellBytes(text),
    unsafe.map(({ pointer }) => pointer),
  );
  for (const { index, start, end } of found.toSorted((one, other) => one.start - other.start)) {
    const { pointer, div } = unsafe[index] as Narrative;
    const name = typeof pointer.at(-1) === 'string' ? '"div":' : '';
    parts.push(bytes.subarray(at, start), Buffer.from(name + JSON.stringify(writeNarrative(div))));
    at = end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]).toString();
}

interface Narrative {
  pointer: Pointer;
  div: string;
}

/** `div` is an element of Narrative only: the resource's, a contained one's, a section's. Other strings are text, never markup. */
function collectUnsafe(
  found: Narrative[],
  value: unknown,
  { way, isDiv }: { way: (string | number)[]; isDiv: boolean },
): void {
  if (typeof value === 'string') {
    if (isDiv && !isSafeNarrative(value)) found.push({ pointer: [...way], div: value });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, inner] of isList ? (value as unknown[]).entries() : Object.entries(value)) {
    if (typeof inner !== 'string' && typeof inner !== 'object') continue;
    way.push(key);
    collectUnsafe(found, inner, { way, isDiv: isList ? isDiv : key === 'div' });
    way.pop();
  }
}

function writeNarrative(div: string): string {
  const lines = htmlToText(div)
    .split('\n')
    .map((line) => line.replace(NOT_IN_XML, ' ').trim())
    .filter((line) => line !== '');
  const paragraphs = lines.map((line) => `<p>${line.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? '')}</p>`);
  // FHIR's rule txt-2: a narrative has some content.
  return `<div xmlns="http://www.w3.org/1999/xhtml">${paragraphs.join('') || '<p>–</p>'}</div>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Characters that XML 1.0 cannot hold, however they are written; half surrogates among them. */
const NOT_IN_XML = /[\p{Cc}\p{Surrogate}\ufffe\uffff]/gu;
