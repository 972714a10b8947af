import { foldWord } from './split-words.ts';

/**
 * Words that stand everywhere in records: in a question they never carry a result by themselves, and no phrase of the
 * vocabulary is one of them.
 */
const WORDS = [
  'a about abnormal active activity acute after all allergy amount and any appointment are area at baby back bad be been before',
  'blood body care case change check checkup chronic clinic clinical condition count current daily date day detail diagnosis did',
  'disease disorder do doctor does dose drug ever exam examination family feel female find finding first for from function get',
  'good had has have health high history home hospital how i illness in infection info information injury is issue it kind',
  'lab laboratory last latest left level light list long low main male man me measurement medical medication medicine mg ml month',
  'my name need new no normal not note number nurse of office on or order other over panel part patient people period person pill',
  'plan positive present pressure prior problem procedure provider rate reading reason recent record red regular report result',
  'right risk round routine sample scan screen screening see serum severe shot show side since small status still stop study',
  'surgery symptom syndrome system tablet take taking tell test that the there therapy thing time to total treatment type unit',
  'urine use vaccine value visit was water week weight well were what when where which white who why with woman work year young',
  // "Blood" in Spanish and German.
  'blut sangre',
];

/** Of these a phrase of the vocabulary may be one: asked for alone they mean a kind of thing ("allergies", "surgeries"). */
const NAMEABLE = [
  'allergy appointment clinic diagnosis doctor drug exam family hospital imaging infection injury lab laboratory medication',
  'medicine nurse period procedure provider screening surgery symptom therapy vaccine visit weight work',
];

const toFoldedSet = (lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(' ')).map(foldWord));

const FOLDED = toFoldedSet(WORDS);
const FOLDED_NAMEABLE = toFoldedSet(NAMEABLE);

export const isGeneralWord = (word: string): boolean => FOLDED.has(foldWord(word));

/** Whether a phrase would stand at what it does not mean. */
export const isTooGeneral = (phrase: string): boolean =>
  isGeneralWord(phrase) && !FOLDED_NAMEABLE.has(foldWord(phrase));
