import type { SecretItem } from '../kit/secret-dialog.tsx';
import type { ApiKeyWords } from './words/en.ts';

interface KeyAndSecret {
  apiKey: string;
  apiSecret: string;
}

/** The key and its secret, and what puts both to use: a file of settings, and the call that makes a token of them. */
export const buildKeyItems = (
  { apiKey, apiSecret }: KeyAndSecret,
  { baseUrl, words }: { baseUrl: string; words: ApiKeyWords },
): SecretItem[] => [
  { label: words.key, value: apiKey },
  { label: words.secret, value: apiSecret },
  {
    label: words.env,
    value: [
      `CHARTGATE_URL=${baseUrl}`,
      `CHARTGATE_API_KEY=${apiKey}`,
      `CHARTGATE_API_SECRET=${apiSecret}`,
    ].join('\n'),
  },
  {
    label: words.curl,
    value: [
      `curl "$CHARTGATE_URL/v1/auth/token"`,
      `-H 'Content-Type: application/json'`,
      `-d "{\\"apiKey\\": \\"$CHARTGATE_API_KEY\\", \\"apiSecret\\": \\"$CHARTGATE_API_SECRET\\"}"`,
    ].join(' \\\n  '),
  },
];
