import { createWords } from '../words/create-words.ts';
import { systemCheck as en } from './words/en.ts';
import { systemCheck as es } from './words/es.ts';

export const useSystemCheckWords = createWords({ en, es });
