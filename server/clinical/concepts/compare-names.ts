import type { Concept, ConceptKind } from './concept.ts';
import { isGeneralWord } from './general-words.ts';
import { splitWords } from './split-words.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Whether two names, or a name and a code, can mean one thing. */
export interface NameComparer {
  agree(one: string, other: string): boolean;
  /** `code` is `system|code`; false also where nothing is known of the code. */
  agreesWithCode(name: string, code: string): boolean;
  knowsCode(code: string): boolean;
}

interface Meaning {
  /** Its words that say which thing is meant. */
  words: readonly string[];
  /** The same with numbers and single letters: "hepatitis b". */
  designated: readonly string[];
  initials: string;
  concepts: readonly Concept[];
  /** Parts of the body: "excision of appendix" agrees with the code of an appendectomy. */
  parts: readonly Concept[];
  /** Each of the words belongs to a phrase of the vocabulary. */
  isKnown: boolean;
}

/** What names say beside the thing itself: the specimen and the method of a test, the form and the way of a drug, how sure it is. */
const ACCESSORIES = new Set(
  [
    'arterial automated auto bld capillary concentration content csf entitic enzymatic fraction mass molar mole moles plasma presence',
    'ratio ser venous volume whole calculated estimated deprecated unspecified manual method quantitative random fasting measured',
    'capsule cream dose extended film coated hour hr inhalant inhalation inhaler injectable injection ointment oral patch pen release',
    'solution spray suspension syringe topical vial act actuat actuation gm gram iu mcg meq mg ml mmol unit',
    'by de en in nos not other or per specified structure to with without',
    'disorder encounter entity event finding observable organism physical procedure qualifier regime situation substance',
  ].flatMap((line) => line.split(' ')),
);

/** What a drug is bound to, unless the name says nothing else: many drugs are sodium, and sodium is a test. */
const SALTS = new Set(
  'acetate besylate bromide calcium chloride citrate fumarate hcl hydrochloride maleate mesylate phosphate potassium sodium succinate sulfate tartrate'.split(
    ' ',
  ),
);

/** What says where, or for what, and never which. */
const PASSED_OVER = new Set<ConceptKind>(['body-parts', 'care-planning', 'insurance', 'visits']);

/** Laboratories call electrolytes so, which the vocabulary does not know: in a text they mean something else. */
const SYMBOLS = new Map([
  ['ca', 'calcium'],
  ['cl', 'chloride'],
  ['fe', 'iron'],
  ['k', 'potassium'],
  ['mg', 'magnesium'],
  ['na', 'sodium'],
]);

const isDesignator = (word: string): boolean => /^(?:\p{N}+|\p{L})$/u.test(word);
const isAccessory = (word: string): boolean => ACCESSORIES.has(word) || isGeneralWord(word);

/** Abbreviations that mean something only where a name is nothing else: "PLT", "DM2". */
const MAX_ABBREVIATION = 6;

/** Names of one record repeat. */
const MAX_CACHED = 5_000;

/** Creates what compares names, with a cache for one record. */
export function createNameComparer(getVocabulary: () => Vocabulary): NameComparer {
  const cache = new Map<string, Meaning>();
  const read = (name: string): Meaning => {
    const known = cache.get(name);
    if (known !== undefined) return known;
    if (cache.size >= MAX_CACHED) cache.clear();
    const meaning = readName(getVocabulary(), name);
    cache.set(name, meaning);
    return meaning;
  };
  return {
    agree: (one, other) => one === other || isOneThing(read(one), read(other)),
    knowsCode: (code) => findByCode(getVocabulary(), code).length > 0,
    agreesWithCode(name, code) {
      const named = findByCode(getVocabulary(), code);
      const { concepts, parts } = read(name);
      return [...concepts, ...parts].some((concept) => named.some((each) => isAsWide(concept, each)));
    },
  };
}

function findByCode(vocabulary: Vocabulary, code: string): readonly Concept[] {
  const bar = code.lastIndexOf('|');
  return vocabulary.findByCode(code.slice(0, bar), code.slice(bar + 1));
}

function readName(vocabulary: Vocabulary, written: string): Meaning {
  const name = SYMBOLS.get(written.trim().toLowerCase()) ?? written;
  const all = splitWords(name);
  const own = all.filter(({ folded }) => !isAccessory(folded) && !isDesignator(folded));
  const unbound = own.filter(({ folded }) => !SALTS.has(folded));
  const words = unbound.length === 0 ? own : unbound;
  const matches = vocabulary
    .findPhrases(name, name.length <= MAX_ABBREVIATION ? 'question' : 'record')
    .filter((match) => words.some((word) => isWord(word, match)));
  const named = [...new Set(matches.flatMap(({ concepts }) => concepts))];
  const concepts = named.filter(({ kind }) => !PASSED_OVER.has(kind));
  return {
    words: words.map(({ folded }) => folded),
    designated: all.flatMap((word) => (words.includes(word) || isDesignator(word.folded) ? word.folded : [])),
    initials: all.map(({ folded }) => folded.charAt(0)).join(''),
    concepts,
    parts: named.filter(({ kind }) => kind === 'body-parts'),
    isKnown: words.every((word) => matches.some((match) => isWord(word, match))),
  };
}

type Place = Record<'start' | 'end', number>;
const isWord = (word: Place, { start, end }: Place): boolean => word.start >= start && word.end <= end;

/**
 * Two names agree where the vocabulary relates what they mean, and else by their words; not where it knows all of both and
 * that they are two things ("hepatitis A", "hepatitis B").
 */
function isOneThing(one: Meaning, other: Meaning): boolean {
  // A name that says nothing but what kind it is of contradicts none.
  if (one.words.length === 0 || other.words.length === 0) return true;
  if (one.concepts.some((concept) => other.concepts.some((each) => isRelated(concept, each)))) return true;
  if (isWritten(one) !== isWritten(other)) return true;
  if (isWithin(one, other) || isWithin(other, one)) return true;
  const areApart = one.concepts.length > 0 && other.concepts.length > 0 && one.isKnown && other.isKnown;
  return !areApart && (hasSharedWord(one, other) || isAbbreviation(one, other) || isAbbreviation(other, one));
}

/** In letters whose words we compare: a name in Cyrillic or Chinese shares none with its translation. */
const isWritten = ({ words, concepts }: Meaning): boolean =>
  concepts.length > 0 || words.some((word) => /\p{Script=Latin}/u.test(word));

/** "Creatinine", and "creatinine in urine". */
const isWithin = (one: Meaning, other: Meaning): boolean =>
  one.designated.every((word) => other.designated.includes(word));

const isAsWide = (concept: Concept, of: Concept): boolean =>
  concept.id === of.id || of.ancestors.includes(concept.id) || of.related.includes(concept.id);

const isRelated = (one: Concept, other: Concept): boolean =>
  isAsWide(one, other) || other.id === one.id || one.ancestors.includes(other.id);

const hasSharedWord = (one: Meaning, other: Meaning): boolean =>
  one.words.some((word) => other.words.some((each) => isAlike(word, each)));

/** A shorter word begins the other. */
const MIN_BEGINNING = 4;
/** A letter may be wrong in a word of this length. */
const MIN_MISSPELLED = 6;

function isAlike(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length >= MIN_BEGINNING && long.startsWith(short)) return true;
  return short.length >= MIN_MISSPELLED && long.length - short.length <= 1 && differsInOne(short, long);
}

/** Whether a letter was replaced or left out, or two neighbours were exchanged. */
function differsInOne(short: string, long: string): boolean {
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const isExchanged = short[at] === long[at + 1] && short[at + 1] === long[at];
  return short.slice(at + (isExchanged ? 2 : 1)) === long.slice(at + (isExchanged ? 2 : 1));
}

/** "MCH" of "erythrocyte mean corpuscular hemoglobin". */
function isAbbreviation({ words: [word = '', ...others] }: Meaning, { initials }: Meaning): boolean {
  return (
    others.length === 0 && word.length >= 2 && word.length <= MAX_ABBREVIATION && initials.includes(word)
  );
}
