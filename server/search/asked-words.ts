/** What a query asks for: words, and phrases of several words that were quoted. */
export interface AskedWords {
  wanted: string[];
  unwanted: string[];
}

/** Beyond these a query is a text, and every further word makes the answer worse. */
const MOST_WORDS = 24;

const TERM = /(-?)(?:"([^"]*)"|([^\s"]+))/g;

/** Words, "quoted phrases" and -exclusions, as search engines read them. Never fails; it may find no word at all. */
export function askedWords(query: string): AskedWords {
  const asked: AskedWords = { wanted: [], unwanted: [] };
  for (const [, minus, phrase, word] of query
    .normalize('NFKC')
    .replace(/[“”„«»]/g, '"')
    .matchAll(TERM)) {
    const term = cleaned(phrase ?? word ?? '');
    if (term !== '') asked[minus === '-' ? 'unwanted' : 'wanted'].push(term);
  }
  return { wanted: distinct(asked.wanted), unwanted: distinct(asked.unwanted) };
}

const distinct = (terms: string[]): string[] => [...new Set(terms)].slice(0, MOST_WORDS);

/** Lower case, without the punctuation around it; what is inside ("x-ray", "5.4") belongs to the word. */
function cleaned(term: string): string {
  return term
    .toLowerCase()
    .replace(/[\p{C}]+/gu, ' ')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}%]+$/gu, '')
    .replace(/\s+/g, ' ')
    .slice(0, 200);
}
