import { createWords } from '../words/create-words.ts';
import { usage as en } from './words/en.ts';
import { usage as es } from './words/es.ts';

export const useUsageWords = createWords({ en, es });
