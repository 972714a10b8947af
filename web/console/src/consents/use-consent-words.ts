import { createWords } from '../words/create-words.ts';
import { consents as en } from './words/en.ts';
import { consents as es } from './words/es.ts';

export const useConsentWords = createWords({ en, es });
