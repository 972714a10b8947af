import { toConceptId, type Concept } from '../concepts/concept.ts';
import { VOCABULARY } from '../concepts/read-vocabulary.ts';
import { parseCodings } from './codeable-concept.ts';
import { formatTitle } from './group-key.ts';

const LABORATORY_TEST = toConceptId('laboratory-test');

const isTest = ({ id, ancestors }: Concept): boolean =>
  id === LABORATORY_TEST || ancestors.includes(LABORATORY_TEST);

/** Of "Cholesterol education" the name of a test is a part. */
const MIN_NAMED_SHARE = 0.6;

const LETTERS = /[\p{L}\p{N}]/gu;

const countLetters = (text: string): number => text.match(LETTERS)?.length ?? 0;

/** Whether the vocabulary knows what is coded, or named, as a test of a laboratory. */
export function namesLaboratoryTest(concept: unknown): boolean {
  const vocabulary = VOCABULARY.get();
  const isCoded = parseCodings(concept).some(
    ({ system, code }) =>
      system !== null && code !== null && vocabulary.findByCode(system, code).some(isTest),
  );
  if (isCoded) return true;
  const name = formatTitle(concept) ?? '';
  const named = vocabulary
    .findPhrases(name, 'record')
    .filter(({ concepts }) => concepts.some(isTest))
    .reduce((sum, { start, end }) => sum + countLetters(name.slice(start, end)), 0);
  return named > 0 && named >= countLetters(name) * MIN_NAMED_SHARE;
}
