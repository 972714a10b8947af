/** What a word is without the ending of a plural or of a tense. */
const ENDINGS: readonly (readonly [ending: RegExp, bases: readonly string[]])[] = [
  [/ies$/, ['y', 'i']],
  [/(?:es|ed)$/, ['', 'e']],
  [/ing$/, ['', 'e']],
  [/(?<![sui])s$/, ['']],
  [/y$/, ['y', 'i']],
  [/e$/, ['']],
  [/([b-df-hj-np-tv-z])\1(?:ed|ing)$/, ['$1']],
  [/(?<=[aeiou])([bdgklmnprt])$/, ['$1$1']],
];

/**
 * A pattern, without its ends, of the forms of words: plural, singular, tenses. Null where one is no word of letters alone.
 */
export function buildFormsPattern(words: readonly string[]): string | null {
  if (!words.every((word) => /^\p{L}+$/u.test(word))) return null;
  const bases = words.flatMap((word) => [
    word,
    ...ENDINGS.flatMap(([ending, others]) =>
      ending.test(word) ? others.map((other) => word.replace(ending, other)) : [],
    ),
  ]);
  return `(?:${[...new Set(bases)].join('|')})(?:s|es|d|ed|ing)?`;
}
