/** The terms of a query: words, and quoted phrases. */
export interface SearchQuery {
  wanted: string[];
  unwanted: string[];
}

/** The limit of terms: a longer query is a text, and every further word makes the answer worse. */
export const MAX_WORDS = 24;

const TERM = /(-?)(?:"([^"]*)"|([^\s"]+))/g;

/** A word or a quoted phrase of a query, with its place. */
interface Term {
  start: number;
  end: number;
  written: string;
  isPhrase: boolean;
  isUnwanted: boolean;
}

export const findTerms = (query: string): Term[] =>
  [...query.matchAll(TERM)].map(({ 0: all, 1: minus, 2: phrase, 3: word, index }) => ({
    start: index,
    end: index + all.length,
    written: phrase ?? word ?? '',
    isPhrase: phrase !== undefined,
    isUnwanted: minus === '-' && /[\p{L}\p{N}]/u.test(all),
  }));

/** Parses words, "quoted phrases" and -exclusions, as search engines read them. Never fails; the result may hold no word. */
export function parseQuery(query: string): SearchQuery {
  const parsed: SearchQuery = { wanted: [], unwanted: [] };
  for (const { written, isUnwanted } of findTerms(query.normalize('NFKC').replace(/[“”„«»]/g, '"'))) {
    const term = cleanTerm(written);
    if (term !== '') parsed[isUnwanted ? 'unwanted' : 'wanted'].push(term);
  }
  return { wanted: dedupe(parsed.wanted), unwanted: dedupe(parsed.unwanted) };
}

const dedupe = (terms: string[]): string[] => [...new Set(terms)].slice(0, MAX_WORDS);

/** Returns the term in lower case without the punctuation around it; signs inside ("x-ray", "5.4") belong to the word. */
export function cleanTerm(term: string): string {
  return term
    .toLowerCase()
    .replace(/[\p{C}]+/gu, ' ')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}%]+$/gu, '')
    .replace(/\s+/g, ' ')
    .slice(0, 200);
}
