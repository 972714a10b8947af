import { createWords } from '../words/create-words.ts';
import { projects as en } from './words/en.ts';
import { projects as es } from './words/es.ts';

export const useProjectWords = createWords({ en, es });
