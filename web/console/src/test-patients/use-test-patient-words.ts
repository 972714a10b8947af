import { createWords } from '../words/create-words.ts';
import { testPatients as en } from './words/en.ts';
import { testPatients as es } from './words/es.ts';

export const useTestPatientWords = createWords({ en, es });
