import { toConceptId, type Concept } from '../../concepts/concept.ts';
import type { PhraseMatch } from '../../concepts/phrase-trie.ts';
import { splitWords } from '../../concepts/split-words.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
import type { LooseMatch } from './loose-match.ts';
import { isQuestionWord } from './question-words.ts';
import { flattenText, isOverlapping, type Span } from './text-pattern.ts';

/** Words for an injury that name one only beside a part of the body: elsewhere "cut" and "broken" say many things. */
const BESIDE_PARTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    laceration:
      'cut cuts cutting slash slashed sliced slicing lacerated lacerate corte cortes corto cortado cortaron cortar cortarse cortarme schnitt schnitte geschnitten schneiden schneidet',
    fracture:
      'broke broken break breaks breaking fractured fracturing busted roto rota rotos rotas rompio rompi rompieron romper romperse romperme fracturar fracturarse fracturo quebrado quebrada quebro quebre quebrar quebrarse gebrochen gebrochene gebrochener gebrochenen gebrochenes brach brechen bricht',
    burn: 'burned burnt scalded quemado quemada quemo queme quemar quemarse verbrannt verbrannte verbruht verbrennen verbruhen',
    sprain: 'sprained spraining torcido torcida torcio torci torcer torcerse verstaucht verstauchen',
    contusion: 'bruised geprellt geprellte prellen',
    // Of the words of one class: "sore" may be a wound.
    pain: 'painful tender tenderness',
  }).flatMap(([slug, words]) => words.split(' ').map((word) => [word, slug] as const)),
);

/** What is done, no injury: "had his toe cut off". */
const DONE =
  /^\s*(?:(?:my|his|her|their|the|a)\s+)?(?:\w+\s+)?(?:off|out|open|away|down|back|up|through|into)\b/;

const INJURY = toConceptId('injury');
const isInjury = ({ id, ancestors }: Concept): boolean => id === INJURY || ancestors.includes(INJURY);

const isPart = ({ concepts }: PhraseMatch): boolean =>
  concepts.length > 0 && concepts.every(({ kind }) => kind === 'body-parts');

const isComplaint = ({ concepts }: PhraseMatch): boolean =>
  concepts.some(({ kind }) => kind === 'conditions' || kind === 'symptoms');

/** Finds the words for injuries that name one beside a part of the body, where one of the phrases is a part. */
export function findInjuries(
  vocabulary: Vocabulary,
  text: string,
  written: readonly PhraseMatch[],
): PhraseMatch[] {
  const parts = written.filter(isPart);
  if (parts.length === 0) return [];
  return splitWords(text).flatMap(({ folded, start, end }) => {
    const slug = BESIDE_PARTS.get(folded);
    const concept = slug === undefined ? undefined : vocabulary.getConcept(toConceptId(slug));
    const isFree = !written.some((match) => isOverlapping(match, { start, end }));
    const isNear = parts.some((part) => isBeside(text, part, { start, end }));
    if (concept === undefined || !isFree || !isNear || DONE.test(flattenText(text).slice(end))) return [];
    return [{ concepts: [concept], start, end, phrase: text.slice(start, end) }];
  });
}

/** Whether only words that make a sentence stand between: "cut on her wrist". */
function isBeside(text: string, one: Span, other: Span): boolean {
  const between = getBetween(text, one, other);
  return !/[.;¦]/.test(between) && flattenText(between).split(' ').filter(Boolean).every(isQuestionWord);
}

function getBetween(text: string, one: Span, other: Span): string {
  const [first, second] = one.start < other.start ? [one, other] : [other, one];
  return text.slice(first.end, second.start);
}

/** What the words of a turn of speech name by themselves: a part of the body, and an injury or complaint of it. */
interface Named {
  part: PhraseMatch;
  complaint: PhraseMatch;
}

function findNamed(text: string, turn: LooseMatch, written: readonly PhraseMatch[]): Named | null {
  const own = written.filter((match) => turn.words.some((word) => isOverlapping(word, match)));
  const said = turn.words.filter(({ start, end }) => !isQuestionWord(flattenText(text.slice(start, end))));
  const [part, complaint] = [own.find(isPart), own.find((match) => !isPart(match) && isComplaint(match))];
  const isAll = said.every((word) =>
    own.some((match) => (isPart(match) || isComplaint(match)) && isOverlapping(word, match)),
  );
  return part !== undefined && complaint !== undefined && isAll ? { part, complaint } : null;
}

/** Whether one of the meanings is what is named, narrower or wider. */
const agrees = (meanings: readonly Concept[], named: readonly Concept[]): boolean =>
  meanings.some((meaning) =>
    named.some(
      (each) =>
        each.id === meaning.id || meaning.ancestors.includes(each.id) || each.ancestors.includes(meaning.id),
    ),
  );

/** Whether the vocabulary has a phrase of the same words for what is named. */
const saysSame = (turn: LooseMatch, { words, concepts }: LooseMatch, complaint: PhraseMatch): boolean =>
  turn.words.every((word) => words.some(({ start }) => start === word.start)) &&
  agrees(concepts, complaint.concepts);

/** "Did something to my wrist" is none of "did I cut my wrist": it names the part alone, beside which the injury stands. */
function leavesOutInjury(text: string, turn: LooseMatch, written: readonly PhraseMatch[]): boolean {
  const said = turn.words.filter(({ start, end }) => !isQuestionWord(flattenText(text.slice(start, end))));
  const parts = written.filter((match) => isPart(match) && said.some((word) => isOverlapping(word, match)));
  return (
    turn.concepts.length > 0 &&
    said.length > 0 &&
    said.every((word) => parts.some((part) => isOverlapping(part, word))) &&
    written.some(
      (match) =>
        match.concepts.length > 0 &&
        match.concepts.every(isInjury) &&
        !turn.words.some((word) => isOverlapping(word, match)) &&
        parts.some((part) => !isOverlapping(part, match) && isBeside(text, part, match)),
    )
  );
}

/** Whether what is meant is the injury alone, of any part of the body: then the words themselves say more, "cut" and "head". */
const leavesOutPart = (meanings: readonly Concept[], { complaint }: Named): boolean =>
  complaint.concepts.every(isInjury) &&
  meanings.some(isInjury) &&
  meanings.every(
    ({ id, kind, ancestors }) =>
      kind === 'procedures' ||
      complaint.concepts.some(
        (each) => each.id === id || (each.ancestors.includes(id) && !ancestors.includes(each.id)),
      ),
  );

/** "Laceration of foot" is a phrase for any laceration: its words say which part. */
export function separatePart(vocabulary: Vocabulary, text: string, match: PhraseMatch): PhraseMatch[] {
  if (match.isGapped === true || !match.concepts.some(isInjury)) return [match];
  const own = splitWords(text.slice(match.start, match.end)).flatMap(({ start, end }) => {
    const span = { start: match.start + start, end: match.start + end };
    const phrase = text.slice(span.start, span.end);
    return vocabulary.findPhrases(phrase, 'question').map(({ concepts }) => ({ concepts, phrase, ...span }));
  });
  const [part, complaint] = [own.find(isPart), own.find((each) => each.concepts.some(isInjury))];
  return part !== undefined && complaint !== undefined && leavesOutPart(match.concepts, { part, complaint })
    ? [part, complaint].sort((one, other) => one.start - other.start)
    : [match];
}

const PLACED = /(?<![a-z])(?:on|of|in|to|at|de|del|en|al|am|an|im|auf|des|der)(?![a-z])/;
const PLURAL = /^(?:feet|teeth|.{2,}[^s]s)$/;

/** What a phrase means of what its words name by themselves; all that it means where they name nothing, or something else. */
export function narrowToNamed(
  text: string,
  match: LooseMatch,
  written: readonly PhraseMatch[],
): LooseMatch[] {
  const named = findNamed(text, match, written);
  if (named === null) return [match];
  const concepts = match.concepts.filter((each) => agrees([each], named.complaint.concepts));
  if (concepts.length > 0) return leavesOutPart(concepts, named) ? [] : [{ ...match, concepts }];
  return named.complaint.concepts.some(isInjury) ? [] : [match];
}

/**
 * Leaves out turns of speech of which the words themselves name an injury of a part of the body ("wrist laceration"), or, by
 * other words than the turn's own, a complaint of it ("pain in the hand" is no "hand" that "hit"): what is named is never
 * taken for another thing. "Her feet burn", "cut her wrists" may be a sentence: both are meant.
 */
export function leaveOutNamed(
  text: string,
  turns: readonly LooseMatch[],
  { written, findLoose }: { written: readonly PhraseMatch[]; findLoose: () => readonly LooseMatch[] },
): LooseMatch[] {
  // "Broken on the toe", with words between those of a phrase.
  const injuries = written.filter((match) => match.isGapped === true && match.concepts.some(isInjury));
  return turns.flatMap((turn) => {
    const isWhole = (match: PhraseMatch): boolean =>
      turn.words.every((word) => isOverlapping(word, match)) && !agrees(turn.concepts, match.concepts);
    if (turn.concepts.length > 0 && injuries.some(isWhole)) return [];
    if (leavesOutInjury(text, turn, written)) return [];
    const named = findNamed(text, turn, written);
    if (named === null || turn.concepts.length === 0) return turn;
    const { part, complaint } = named;
    const isByClass = turn.words.some((word) => word.isByClass === true && isOverlapping(word, complaint));
    const isAgreed = agrees(turn.concepts, complaint.concepts);
    if (isByClass && (!isAgreed || findLoose().some((match) => saysSame(turn, match, complaint)))) return [];
    if (isAgreed) return leavesOutPart(turn.concepts, named) ? [] : turn;
    if (!complaint.concepts.some(isInjury)) return turn;
    const isPlaced = PLACED.test(flattenText(getBetween(text, part, complaint)));
    const words = [part, complaint].map(({ phrase }) => flattenText(phrase).trim());
    if (isPlaced || !words.some((word) => PLURAL.test(word))) return [];
    return { ...turn, concepts: [...complaint.concepts, ...turn.concepts] };
  });
}
