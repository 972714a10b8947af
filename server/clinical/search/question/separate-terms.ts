import { cleanTerm, findTerms } from '../search-query.ts';

/** A query whose quoted phrases and excluded words are taken out: what is left is read, they are searched as written. */
export interface SeparatedQuery {
  text: string;
  quoted: string[];
  unwanted: string[];
}

/** What notes write before a thing: history of, status post, rule out, complains of, with, without. */
const NOTE_SIGNS = /(?<![\p{L}\p{N}/])(?:[hsrc]\/[op]|w\/o?)(?![\p{L}\p{N}/])/giu;

/** In place of what was taken out: no phrase and no turn of speech goes across it. */
export const GAP = '|';

export function separateTerms(query: string): SeparatedQuery {
  const separated: SeparatedQuery = { text: '', quoted: [], unwanted: [] };
  let from = 0;
  const source = query.normalize('NFKC').replace(/[\p{C}\s]/gu, ' ');
  const text = source.replace(/[“”„«»]/g, '"').replace(NOTE_SIGNS, (sign) => ' '.repeat(sign.length));
  for (const { start, end, isPhrase, isUnwanted, written } of findTerms(text)) {
    const term = cleanTerm(written);
    if (!isPhrase && !isUnwanted) continue;
    if (term !== '') separated[isUnwanted ? 'unwanted' : 'quoted'].push(term);
    separated.text += text.slice(from, start) + GAP.repeat(end - start);
    from = end;
  }
  separated.text += text.slice(from);
  return separated;
}
