import { createWords } from '../words/create-words.ts';
import { profile as en } from './words/en.ts';
import { profile as es } from './words/es.ts';

export const useProfileWords = createWords({ en, es });
