import { createVocabularyReader } from '../../server/clinical/concepts/read-vocabulary.ts';

/** The vocabulary as the service reads it, once for all tests of a process. */
export const getVocabulary = createVocabularyReader();
