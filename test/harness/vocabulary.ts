import { VOCABULARY } from '../../server/clinical/concepts/read-vocabulary.ts';
import { createQuestionReader } from '../../server/clinical/search/question/read-question.ts';

/** The vocabulary as the service reads it, once for all tests of a process. */
export const { get: getVocabulary } = VOCABULARY;

export const readQuestion = createQuestionReader(getVocabulary);
