import { createInSteps, type MadeInSteps } from '../../../platform/kernel/made-in-steps.ts';
import { isDrug, isVaccine } from '../../concepts/concept.ts';
import type { PhraseMatch } from '../../concepts/phrase-trie.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
import type { AskedConcept, AskedKind, AskedWord, Question } from '../question.ts';
import { parseQuery } from '../search-query.ts';
import { findAnchor } from './anchor.ts';
import { findTitle } from './asked-title.ts';
import { chooseMeanings } from './choose-meaning.ts';
import { findComposed } from './compose-phrases.ts';
import { findConcepts, type Readers } from './find-concepts.ts';
import { markCodes } from './code-words.ts';
import { findDenial } from './denials.ts';
import { correctSpelling, findWritten, type CorrectedText } from './correct-spelling.ts';
import { leaveOutForms } from './drug-forms.ts';
import { findExtremes, type ExtremeExpression } from './extremes.ts';
import { findImplied } from './implied-concepts.ts';
import { findNamedKinds } from './kind-concepts.ts';
import { createLoosePhrasesInSteps, type LoosePhrases } from './loose-phrases.ts';
import {
  findFamily,
  findKinds,
  KIND_NAMES,
  mergeKinds,
  type FamilyExpression,
  type KindExpression,
} from './kind-words.ts';
import { findAllergen } from './allergens.ts';
import * as vaccination from './vaccination-words.ts';
import { isQuestionWord } from './question-words.ts';
import { listWords } from './remaining-words.ts';
import { separateTerms } from './separate-terms.ts';
import { createSpellerInSteps, type Speller } from './spelling.ts';
import { flattenText, isInside, isOverlapping, type Span } from './text-pattern.ts';
import { readWindow } from './read-window.ts';
import { findTimeExpressions, type TimeExpression } from './time-expressions.ts';
import { listTurnWords } from './turns-of-speech.ts';
import { listClassWords } from './word-classes.ts';

/** Reads a query; `today` is YYYY-MM-DD. Never fails: what it does not understand stays words. */
export type ReadQuestion = (query: string, today: string) => Question;

/** A question as it stands in the text: what each part of it means, by its place. */
interface Parts {
  corrected: CorrectedText;
  matches: readonly PhraseMatch[];
  times: readonly TimeExpression[];
  extremes: readonly ExtremeExpression[];
  family: readonly FamilyExpression[];
  /** Phrases of the family's history as a whole. */
  familial: readonly PhraseMatch[];
}

/** Knows the words of the vocabulary and of kinds. */
export const createSpellerReader = (getVocabulary: () => Vocabulary): MadeInSteps<Speller> =>
  createInSteps(() =>
    createSpellerInSteps(
      [...getVocabulary().listPhrases(), ...KIND_NAMES, ...listClassWords()],
      new Set(listTurnWords()),
    ),
  );

/** Knows the vocabulary by what its phrases say. */
export const createLoosePhrasesReader = (getVocabulary: () => Vocabulary): MadeInSteps<LoosePhrases> =>
  createInSteps(() => createLoosePhrasesInSteps(getVocabulary()));

export function createQuestionReader(
  getVocabulary: () => Vocabulary,
  getSpeller = createSpellerReader(getVocabulary).get,
  getLoose = createLoosePhrasesReader(getVocabulary).get,
): ReadQuestion {
  return (query, today) => {
    const [vocabulary, speller, loose] = [getVocabulary(), getSpeller(), getLoose()];
    const { text, quoted, unwanted } = separateTerms(query);
    const understood = [
      ...findTimeExpressions(text, today),
      ...findExtremes(text),
      ...findKinds(text),
      ...findFamily(text),
    ];
    const corrected = correctSpelling({ vocabulary, speller }, text, understood);
    const parts = { corrected, ...findParts({ vocabulary, loose }, corrected.text, today) };
    const title = findTitle(text, parts.times);
    const question = findAllergen(vocabulary, { ...readParts(vocabulary, parts, quoted), title });
    return { ...(isEmpty(question) ? { ...question, words: listAllWords(query) } : question), unwanted };
  };
}

/** In place of what is understood by itself, as who is named: no phrase goes across it, but a turn of speech may. */
const TAKEN = '¦';

/**
 * Finds concepts and times; of two that overlap the longer one stays: "first degree burn", "last 6 months". What says that it
 * is about the family is no part of a concept, but a concept may be the family's ("family history of diabetes").
 */
function findParts(readers: Readers, text: string, today: string): Omit<Parts, 'corrected'> {
  const family = findFamily(text);
  const extremes = findExtremes(text);
  const others = [...family, ...extremes.filter(({ mayBeName }) => !mayBeName)].reduce(
    (left, { start, end }) => left.slice(0, start) + TAKEN.repeat(end - start) + left.slice(end),
    text,
  );
  const times = findTimeExpressions(text, today);
  const expressions = findKinds(text);
  const matches = findConcepts(readers, others, { times, kinds: expressions, family }).filter(
    (match) =>
      !expressions.some(
        (kind) => isInside(match, kind) || (kind.subset !== null && isOverlapping(match, kind)),
      ),
  );
  const isLonger = (one: Span, other: Span): boolean => one.end - one.start > other.end - other.start;
  return {
    matches: matches.filter(
      (match) => !times.some((time) => isOverlapping(match, time) && !isLonger(match, time)),
    ),
    times: times.filter(
      (time) => !matches.some((match) => isOverlapping(match, time) && isLonger(match, time)),
    ),
    extremes: extremes.filter((extreme) => !matches.some((match) => isOverlapping(match, extreme))),
    family,
    familial: family.length === 0 ? [] : readers.vocabulary.findPhrases(text, 'question').filter(isFamilial),
  };
}

const isFamilial = ({ concepts }: PhraseMatch): boolean =>
  concepts.some(({ kind }) => kind === 'family-history');

function readParts(
  vocabulary: Vocabulary,
  parts: Parts,
  quoted: readonly string[],
): Omit<Question, 'unwanted' | 'title'> {
  const { corrected, matches, times, extremes, family } = parts;
  const { text } = corrected;
  const expressions = findKinds(text).filter((kind) => !times.some((time) => isOverlapping(time, kind)));
  const { things, kinds } = separateKinds(parts, expressions);
  const anchor = findAnchor(text, matches, expressions);
  const asked = leaveOutForms(things.filter((match) => match !== anchor?.match && match.concepts.length > 0));
  const described = asked.map((match) => describeConcept({ vocabulary, parts, kinds }, match));
  const denials = asked.flatMap((match) => findDenial(text, match) ?? []);
  const taken = [
    ...matches,
    ...times,
    ...extremes,
    ...expressions,
    ...family,
    ...(anchor ? [anchor] : []),
    ...denials,
    ...vaccination.findVaccinated(text, described),
  ];
  const words = markCodes(listWords(corrected, taken));
  const composed = words.map((word) => findComposed(vocabulary, { phrase: word.text, concepts: [] }, kinds));
  return {
    concepts: mergeConcepts([
      ...described,
      ...words.flatMap(({ text: phrase }, index) => {
        const readAs = composed[index] ?? [];
        return readAs.length === 0 ? [] : { phrase, spelled: null, readAs };
      }),
    ]),
    words: [
      ...quoted.map((term) => ({ text: term, weight: 1 })),
      ...words.filter((_, index) => composed[index]?.length === 0),
    ],
    window: readWindow(text, times),
    anchor: anchor && {
      side: anchor.side,
      ...describeConcept({ vocabulary, parts, kinds: [] }, anchor.match),
    },
    order: times.find(({ order }) => order !== undefined)?.order ?? null,
    kinds,
    subset: expressions.find(({ subset }) => subset !== null)?.subset ?? null,
    extreme: extremes[0]?.extreme ?? null,
    people: family.length === 0 ? null : family.every(({ isPerson }) => isPerson) ? 'relative' : 'family',
  };
}

/** Separates phrases that name a kind from those that name a thing. Alone, "surgery" is a thing: not every procedure is one. */
function separateKinds(
  { matches, family }: Parts,
  expressions: readonly KindExpression[],
): { things: readonly PhraseMatch[]; kinds: AskedKind[] } {
  const named = matches.map((match) => ({ match, kinds: findNamedKinds(match) }));
  const isAlone = named.every(({ kinds }) => kinds.length > 0);
  const isThing = ({ match, kinds }: (typeof named)[number]): boolean =>
    kinds.length === 0 || (isAlone && match.concepts.some(({ slug }) => slug === 'surgery'));
  const things = named.filter(isThing).map(({ match }) => match);
  const isOfFamily = family.length > 0 && things.length === 0;
  return {
    things,
    kinds: mergeKinds([
      ...expressions.filter((kind) => !matches.some((match) => isInside(kind, match))),
      ...named,
      ...(isOfFamily ? [{ kinds: [{ kind: 'family_history', weight: 1 } as const] }] : []),
    ]),
  };
}

interface DescribeDeps {
  vocabulary: Vocabulary;
  parts: Parts;
  kinds: readonly AskedKind[];
}

function describeConcept({ vocabulary, parts, kinds }: DescribeDeps, match: PhraseMatch): AskedConcept {
  const { corrected, matches, familial } = parts;
  const isDenied = findDenial(corrected.text, match) !== null;
  const ofVaccines = vaccination.asksForVaccines(kinds);
  const found = chooseMeanings(match, { matches, kinds, isDenied });
  const meanings = ofVaccines ? vaccination.keepVaccines(found) : found;
  const composed = findComposed(
    vocabulary,
    { phrase: match.phrase, concepts: meanings },
    vaccination.addVaccines(corrected.text, kinds),
  );
  const ofFamily = familial.filter((each) => isInside(match, each)).flatMap(({ concepts }) => concepts);
  const readAs = composed.some((each) => isDrug(each) || (ofVaccines && isVaccine(each)))
    ? composed
    : [...composed, ...meanings, ...findImplied(vocabulary, match, meanings), ...ofFamily];
  const written = findWritten(corrected, match);
  const isForm = corrected.corrections.every((each) => each.isForm || !isOverlapping(each, match));
  return {
    phrase: written ?? match.phrase,
    spelled: written === null || isForm ? null : match.phrase,
    readAs,
    ...(ofVaccines && vaccination.listNotMeant(found, readAs)),
    ...(isDenied && { isDenied }),
    ...(isBare(corrected.text, match) && { isBare: true }),
  };
}

/** Whether no word of a sentence stands around a phrase. */
const isBare = (text: string, { start, end }: Span): boolean =>
  !flattenText(`${text.slice(0, start)} ${text.slice(end)}`)
    .split(' ')
    .some(isQuestionWord);

/** Two phrases with one meaning ("heart attack (MI)") are one thing asked for. */
function mergeConcepts(concepts: readonly AskedConcept[]): AskedConcept[] {
  const toKey = ({ readAs }: AskedConcept): string => readAs.map(({ id }) => id).join(' ');
  return concepts.filter(
    (each, index) => concepts.findIndex((other) => toKey(other) === toKey(each)) === index,
  );
}

const isEmpty = ({ concepts, words, window, order, kinds, people }: Omit<Question, 'unwanted'>): boolean =>
  concepts.length + words.length + kinds.length === 0 && window === null && order === null && people === null;

const listAllWords = (query: string): AskedWord[] =>
  parseQuery(query).wanted.map((text) => ({ text, weight: 1 }));
