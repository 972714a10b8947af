/** The terms of a query: words, and quoted phrases. */
export interface SearchQuery {
  wanted: string[];
  unwanted: string[];
}

/** The limit of terms: a longer query is a text, and every further word makes the answer worse. */
const MAX_WORDS = 24;

const TERM = /(-?)(?:"([^"]*)"|([^\s"]+))/g;

/** Parses words, "quoted phrases" and -exclusions, as search engines read them. Never fails; the result may hold no word. */
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

/** Returns the term in lower case without the punctuation around it; signs inside ("x-ray", "5.4") belong to the word. */
function cleanTerm(term: string): string {
  return term
    .toLowerCase()
    .replace(/[\p{C}]+/gu, ' ')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}%]+$/gu, '')
    .replace(/\s+/g, ' ')
    .slice(0, 200);
}
