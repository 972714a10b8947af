import { createWords } from '../words/create-words.ts';
import { reads as en } from './words/en.ts';
import { reads as es } from './words/es.ts';

export const useReadsWords = createWords({ en, es });
