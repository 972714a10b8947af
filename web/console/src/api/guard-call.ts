import { Refusal } from '../../../kit/http/refusal.ts';
import type { Prompt } from './prompt.ts';

export interface Prompts {
  /** Asks the member to prove that it is them. */
  presence: Prompt;
  /** Asks them to sign in again, over the page. */
  session: Prompt;
}

const isSessionOver = ({ status, code }: Refusal): boolean =>
  status === 401 && code !== 'invalid_credentials' && code !== 'code_required';

/**
 * Sends a request and, where the service asks for something of the member first, has them asked and sends it again. Throws the
 * refusal when they would not: `confirmation_required`, or `not_signed_in`.
 */
export async function sendGuarded<Answer>(send: () => Promise<Answer>, prompts: Prompts): Promise<Answer> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const prompt = isSessionOver(error)
        ? prompts.session
        : error.code === 'confirmation_required'
          ? prompts.presence
          : null;
      if (prompt === null || !(await prompt.ask())) throw error;
    }
  }
}
