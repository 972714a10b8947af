import { createWords } from '../words/create-words.ts';
import { apps as en } from './words/en.ts';
import { apps as es } from './words/es.ts';

export const useAppWords = createWords({ en, es });
