import { createWords } from '../words/create-words.ts';
import { audit as en } from './words/en.ts';
import { audit as es } from './words/es.ts';

export const useAuditWords = createWords({ en, es });
