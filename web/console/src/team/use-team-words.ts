import { createWords } from '../words/create-words.ts';
import { team as en } from './words/en.ts';
import { team as es } from './words/es.ts';

export const useTeamWords = createWords({ en, es });
