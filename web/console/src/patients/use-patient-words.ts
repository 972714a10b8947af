import { createWords } from '../words/create-words.ts';
import { patients as en } from './words/en.ts';
import { patients as es } from './words/es.ts';

export const usePatientWords = createWords({ en, es });
