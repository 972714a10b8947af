import { htmlToText } from '../html/html-to-text.ts';
import { decodeText } from '../text/decode-text.ts';

interface CcdaText {
  /** Title and narrative of each section, in the order of the document. */
  narratives: string[];
  /** The body that is not structured (CDA R2 §4.3.1.1, nonXMLBody), decoded. */
  embedded: Buffer | null;
}

const TAG = /<(\/?)(?:[\w.-]{1,40}:)?(section|entry|title|text|nonXMLBody)(?=[\s/>])/g;

/**
 * Extracts the narratives of a C-CDA in one pass: the narrative is complete by itself (CDA R2 §1.1), and needs neither a
 * tree nor the entries.
 */
export function extractCcdaText(bytes: Buffer): CcdaText {
  const { text: xml } = decodeText(bytes);
  const found: CcdaText = { narratives: [], embedded: null };
  let sections = 0;
  let entries = 0;
  let inBody = false;
  let skipTo = 0;
  for (const match of xml.matchAll(TAG)) {
    if (match.index < skipTo) continue;
    const [, slash, name] = match;
    const end = xml.indexOf('>', match.index);
    if (end < 0) break;
    if (xml[end - 1] === '/') continue;
    const step = slash === '' ? 1 : -1;
    if (name === 'section') sections += step;
    else if (name === 'entry') entries += step;
    else if (name === 'nonXMLBody') inBody = step > 0;
    else if (step > 0 && entries === 0 && (sections > 0 || inBody)) {
      const close = findClosingTag(xml, name as string, end);
      skipTo = close;
      const content = xml.slice(end + 1, close);
      if (sections > 0)
        found.narratives.push(name === 'title' ? htmlToText(content) : htmlToText(toHtml(content)));
      else if (name === 'text') found.embedded = decodeEmbedded(xml.slice(match.index, end), content);
    }
  }
  return { ...found, narratives: found.narratives.filter((text) => text !== '') };
}

/** Returns where the element that is open at `from` is closed; the end of the text where it is not. */
export function findClosingTag(xml: string, name: string, from: number): number {
  const close = new RegExp(`</(?:[\\w.-]{1,40}:)?${name}\\s{0,20}>`, 'g');
  close.lastIndex = from;
  return close.exec(xml)?.index ?? xml.length;
}

/**
 * Converts CDA's narrative block to HTML: its tables are HTML's, its lists and paragraphs have other names (CDA R2
 * §4.3.5).
 */
const toHtml = (narrative: string): string =>
  narrative
    .replace(/<(\/?)(?:[\w.-]{1,40}:)?item(?=[\s/>])/g, '<$1li')
    .replace(/<(\/?)(?:[\w.-]{1,40}:)?paragraph(?=[\s/>])/g, '<$1p');

function decodeEmbedded(tag: string, content: string): Buffer | null {
  return /\srepresentation\s{0,20}=\s{0,20}["']B64["']/.test(tag)
    ? Buffer.from(content, 'base64')
    : Buffer.from(htmlToText(content), 'utf8');
}
