/** What a query asks for: words, and phrases of several words that were quoted. */
export interface SearchQuery {
  wanted: string[];
  unwanted: string[];
}

/** Beyond these a query is a text, and every further word makes the answer worse. */
const MAX_WORDS = 24;

const TERM = /(-?)(?:"([^"]*)"|([^\s"]+))/g;

/** Words, "quoted phrases" and -exclusions, as search engines read them. Never fails; it may find no word at all. */
export function parseQuery(query: string): SearchQuery {
  const parsed: SearchQuery = { wanted: [], unwanted: [] };
  for (const [, minus, phrase, word] of query
    .normalize('NFKC')
    .replace(/[“”„«»]/g, '"')
    .matchAll(TERM)) {
    const term = cleanTerm(phrase ?? word ?? '');
    if (term !== '') parsed[minus === '-' ? 'unwanted' : 'wanted'].push(term);
  }
  return { wanted: dedupe(parsed.wanted), unwanted: dedupe(parsed.unwanted) };
}

const dedupe = (terms: string[]): string[] => [...new Set(terms)].slice(0, MAX_WORDS);

/** Lower case, without the punctuation around it; what is inside ("x-ray", "5.4") belongs to the word. */
function cleanTerm(term: string): string {
  return term
    .toLowerCase()
    .replace(/[\p{C}]+/gu, ' ')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}%]+$/gu, '')
    .replace(/\s+/g, ' ')
    .slice(0, 200);
}
