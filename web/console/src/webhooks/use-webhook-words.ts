import { createWords } from '../words/create-words.ts';
import { webhooks as en } from './words/en.ts';
import { webhooks as es } from './words/es.ts';

export const useWebhookWords = createWords({ en, es });
