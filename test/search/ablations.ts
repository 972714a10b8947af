import type { Question } from '../../server/clinical/search/question.ts';
import type { ReadQuestion } from '../../server/clinical/search/question/read-question.ts';
import { parseQuery } from '../../server/clinical/search/search-query.ts';

/** Readings of the same question with one capability more each: what each of them is worth is the difference. */
export function listAblations(readQuestion: ReadQuestion): Map<string, ReadQuestion> {
  return new Map<string, ReadQuestion>([
    ['words only', (query) => readWords(query)],
    ['+ spelling', (query, today) => spellWords(query, readQuestion(query, today))],
    ['+ concepts', (query, today) => ({ ...NOTHING_ELSE, ...pick(readQuestion(query, today)) })],
    [
      '+ kinds and people',
      (query, today) => ({
        ...readQuestion(query, today),
        window: null,
        order: null,
        extreme: null,
        anchor: null,
      }),
    ],
    ['+ time', readQuestion],
  ]);
}

const NOTHING_ELSE = {
  window: null,
  order: null,
  anchor: null,
  kinds: [],
  subset: null,
  extreme: null,
  people: null,
  title: null,
} as const;

const pick = ({
  concepts,
  words,
  unwanted,
}: Question): Pick<Question, 'concepts' | 'words' | 'unwanted'> => ({
  concepts,
  words,
  unwanted,
});

const readWords = (query: string): Question => {
  const { wanted, unwanted } = parseQuery(query);
  return { ...NOTHING_ELSE, concepts: [], words: wanted.map((text) => ({ text, weight: 1 })), unwanted };
};

/** The words of the query with the misspelled phrases as they are spelled. */
function spellWords(query: string, { concepts }: Question): Question {
  const spelled = concepts.reduce(
    (text, { phrase, spelled }) => (spelled === null ? text : text.replace(phrase, spelled)),
    query,
  );
  return readWords(spelled);
}
