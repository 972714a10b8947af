import type { AttemptAnswer } from '../../../../contract/webhooks/webhook-deliveries.ts';
import { useWebhookWords } from './use-webhook-words.ts';

/** What attempts came to, in words: classes of a status as they are, faults by their sentence. */
export function useAnswerNames(): Record<AttemptAnswer, string> {
  const { faults } = useWebhookWords().delivery;
  const { status: _status, redirect: _redirect, gone: _gone, ...others } = faults;
  const named = Object.entries(others).map(([name, { what }]) => [name, what.replace(/\.$/, '')]);
  return {
    '2xx': '200–299',
    '3xx': '300–399',
    '4xx': '400–499',
    '5xx': '500–599',
    ...(Object.fromEntries(named) as Record<keyof typeof others, string>),
  };
}
