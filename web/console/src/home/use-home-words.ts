import { createWords } from '../words/create-words.ts';
import { home as en } from './words/en.ts';
import { home as es } from './words/es.ts';

export const useHomeWords = createWords({ en, es });
