/**
 * Narrative (`text.div`) is the only element of FHIR that a receiver displays as markup. We pass it on byte for byte, unless
 * something could run there: then its words are kept, and nothing of its markup (`cleanNarratives`). Nothing is sanitized:
 * sanitizers have bypasses.
 *
 * The rule: the div is read by a grammar so small that XML and HTML parsers can't disagree about it (tags,
 * quoted attributes, comments, text); elements must be on the list; no attribute is an event handler or holds a
 * script URL. What the grammar lacks (DOCTYPE, ENTITY, CDATA, `<?`, a stray `<`) is refused by that.
 */
export function isSafeNarrative(div: string): boolean {
  if (!div.includes('<')) return true;
  const open: string[] = [];
  let roots = 0;
  const tokens = new RegExp(TOKEN, 'y');
  while (tokens.lastIndex < div.length) {
    const token = tokens.exec(div);
    if (token === null) return false;
    const [text, opened, attributes, selfClosed, closed] = token;
    if (opened !== undefined) {
      if (open.length === 0) roots += 1;
      if (!isAllowed(opened, attributes ?? '') || open.length >= MAX_DEPTH) return false;
      if (selfClosed === '' && !VOID.has(getLocalName(opened))) open.push(opened);
    } else if (closed !== undefined) {
      if (!VOID.has(getLocalName(closed)) && open.pop() !== closed) return false;
    } else if (open.length === 0 && !text.startsWith('<') && text.trim() !== '') return false;
  }
  return open.length === 0 && roots === 1;
}

const MAX_DEPTH = 200;

/** For HTML, but not for XML, `--!>` ends a comment and `<!-->` is an empty one: those forms are left out. */
const COMMENT = /<!--(?!-?>)(?:(?!--!?>)[^])*-->/.source;
const ATTRIBUTE = /\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*')/.source;
const TOKEN = `[^<]+|${COMMENT}|<([A-Za-z][\\w.:-]*)((?:${ATTRIBUTE})*)\\s*(/?)>|</([A-Za-z][\\w.:-]*)\\s*>`;
const ATTRIBUTES = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** FHIR R4 narrative rule txt-1, and elements that only change the presentation. */
const ELEMENTS = new Set(
  `a abbr acronym b big blockquote br caption cite code col colgroup dd dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i img
  li ol p pre q samp small span strong sub sup table tbody td tfoot th thead tr tt ul var
  address area article aside bdi bdo center del dir figcaption figure font footer header ins kbd label main map mark
  nav nobr s section strike time u wbr`.split(/\s+/),
);

/** HTML never closes these, so `<br>` is valid there. */
const VOID = new Set(['area', 'br', 'col', 'hr', 'img', 'wbr']);

const SCRIPT_ANYWHERE = /(?:java|vb|live)script:|expression\(|^data:(?!image\/)/i;

/** A prefix may be bound to any namespace, XHTML's included: `n:script` is a script. */
function getLocalName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

function isAllowed(element: string, attributes: string): boolean {
  if (!ELEMENTS.has(getLocalName(element))) return false;
  for (const [, name = '', double, single] of attributes.matchAll(ATTRIBUTES)) {
    if (getLocalName(name).startsWith('on')) return false;
    if (SCRIPT_ANYWHERE.test(stripWhitespace(decodeReferences(double ?? single ?? '')))) return false;
  }
  return true;
}

/** URL parsers drop tabs and line ends inside a scheme, and control characters before it. */
function stripWhitespace(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, '');
}

/** Decodes the character references that can hide a scheme; HTML knows them without a declaration. */
function decodeReferences(value: string): string {
  return value
    .replace(/&#(?:x([\da-f]+)|(\d+));?/gi, (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    })
    .replace(/&colon;?/gi, ':')
    .replace(/&(?:Tab|NewLine);?/gi, '');
}
