import { createWords } from '../words/create-words.ts';
import { organization as en } from './words/en.ts';
import { organization as es } from './words/es.ts';

export const useOrganizationWords = createWords({ en, es });
