import { createWords } from '../words/create-words.ts';
import { sources as en } from './words/en.ts';
import { sources as es } from './words/es.ts';

export const useSourceWords = createWords({ en, es });
