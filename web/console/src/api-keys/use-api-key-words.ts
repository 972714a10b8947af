import { createWords } from '../words/create-words.ts';
import { apiKeys as en } from './words/en.ts';
import { apiKeys as es } from './words/es.ts';

export const useApiKeyWords = createWords({ en, es });
