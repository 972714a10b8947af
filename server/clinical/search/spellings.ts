/** A part of a word, and how the other side of the Atlantic writes it. */
type Rule = readonly [part: RegExp, other: string];

/** Liberal: what it makes of a word that is no British one ("aerobic") stands in no text. */
const AMERICAN_STEMS: readonly Rule[] = [
  [/(?<=[a-z]|^)[ao]e(?=[a-z])/g, 'e'],
  [/sulph/, 'sulf'],
  [/programme/, 'program'],
  [/ageing/, 'aging'],
];

const AMERICAN_ENDINGS: readonly Rule[] = [
  [/(?<=[a-z]{2})our(?=(?:s|ed|ing|al|ally|less|able)?$)/, 'or'],
  [/(?<=[a-z]{3})is(?=(?:e|ed|es|ing|ation|ations)$)/, 'iz'],
  [/(?<=l)ys(?=(?:e|ed|es|ing|er|ers)$)/, 'yz'],
  [/(?<=[a-z]{2}[bt])re(?=s?$)/, 'er'],
  [/(?<=[a-z]{3}[aeiou])ll(?=(?:ed|ing|er|ers)$)/, 'l'],
];

const BRITISH_STEMS: readonly Rule[] = [
  [/^hem(?=[ao])/, 'haem'],
  [/(?<=[a-z])em(?=i(?:a|as|c|cally)$)/, 'aem'],
  [/(?<!o)edem/, 'oedem'],
  [/(?<!o)esophag/, 'oesophag'],
  [/^estr(?=[oaiu])/, 'oestr'],
  [/^fet(?=al|us|o)/, 'foet'],
  [/rrhe(?=a|ic)/, 'rrhoe'],
  [/pediatr/, 'paediatr'],
  [/orthoped/, 'orthopaed'],
  [/gynec/, 'gynaec'],
  [/(?<!a)esthe/, 'aesthe'],
  [/^cec(?=um|al)/, 'caec'],
  [/^fec(?=es|al)/, 'faec'],
  [/^cesar/, 'caesar'],
  [/^celiac/, 'coeliac'],
  [/^etiolog/, 'aetiolog'],
  [/sulf/, 'sulph'],
  [/^program(?=s?$)/, 'programme'],
  [/^aging/, 'ageing'],
];

const BRITISH_ENDINGS: readonly Rule[] = [
  [/(?<=^(?:tum|col|od|hum|lab|behavi|fav|vap|neighb|rum|flav|hon))or(?=(?:s|ed|ing|al|ally|less)?$)/, 'our'],
  [/(?<=[a-z]{3})iz(?=(?:e|ed|es|ing|ation|ations)$)/, 'is'],
  [/(?<=l)yz(?=(?:e|ed|es|ing|er|ers)$)/, 'ys'],
  [/(?<=(?:cent|lit|met|fib|tit))er(?=s?$)/, 're'],
  [/(?<=(?:label|cancel|counsel|signal|travel|channel))(?=(?:ed|ing|er|ers)$)/, 'l'],
];

const NONE: readonly Rule[] = [];

/** General words in English, and as Spanish and German write them: they are no concepts, which know their names by themselves. */
const TRANSLATIONS: readonly (readonly [english: string, ...others: string[]])[] = [
  ['blood', 'sangre', 'blut'],
];

const findTranslations = (word: string) => TRANSLATIONS.find((all) => all.includes(word));

/** Returns the English word for a general word of another language; any other word as it is. */
export const toEnglish = (word: string): string => findTranslations(word)?.[0] ?? word;

/**
 * Lists how the words of a term may stand in a text: as written, in American and in British spelling, and with the stem of one
 * and the ending of the other ("hemolysed"); a general word in other languages too. Concepts know both by themselves; this is for words that are none.
 */
export function listSpellings(term: string): string[] {
  const respell = (written: string, rules: readonly Rule[]): string =>
    written.replace(/[a-z]{4,}/g, (word) =>
      rules.reduce((respelled, [part, other]) => respelled.replace(part, other), word),
    );
  const stems = [NONE, AMERICAN_STEMS, BRITISH_STEMS].map((rules) => respell(term, rules));
  return [
    ...new Set([
      ...stems.flatMap((each) =>
        [NONE, AMERICAN_ENDINGS, BRITISH_ENDINGS].map((rules) => respell(each, rules)),
      ),
      ...(findTranslations(term) ?? []),
    ]),
  ];
}
