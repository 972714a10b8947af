/** How letters of medicine are heard, in this order: "pneumonia", "psoriasis", "xanax", "cirrhosis", "schizophrenia". */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/^[pkg]n/, 'n'],
  [/^ps/, 's'],
  [/^wr/, 'r'],
  [/^x/, 's'],
  [/ph/g, 'f'],
  [/sch/g, 'sk'],
  [/tz/g, 's'],
  [/ch|ck/g, 'k'],
  [/c(?=[eiy])/g, 's'],
  [/[cq]/g, 'k'],
  [/x/g, 'ks'],
  [/z/g, 's'],
  [/h(?![aeiouy])|(?<=[rtgk])h/g, ''],
  [/(.)\1+/g, '$1'],
  [/(?!^)[aeiouy]/g, ''],
  [/^[aeiouy]/, 'a'],
];

/** What a word sounds like: its consonants, those that sound the same as one. The word is folded. */
export const toSound = (word: string): string =>
  RULES.reduce((text, [letters, sound]) => text.replace(letters, sound), word);
