import type { z } from 'zod';
import type { createTestPatientGrant } from '../../../../contract/organization/test-patients.ts';
import { Refusal } from '../../../kit/http/refusal.ts';

/** How far a grant goes, which is narrower than the consent. */
export type GrantBody = z.input<(typeof createTestPatientGrant)['body']>;

export interface HeldToken {
  token: string;
  expiration: number;
}

/** Seconds before its end at which a token is not begun with any more. */
const MARGIN_SECONDS = 60;

/** Keeps the tokens: that of the patient under null, and one for each width of a grant. A refused one is renewed once. */
export function createAgentTokens(
  take: (grant: GrantBody | null) => Promise<HeldToken>,
  now: () => number = Date.now,
) {
  const held = new Map<string, Promise<HeldToken>>();
  const find = async (grant: GrantBody | null, key: string): Promise<string> => {
    const pending = held.get(key);
    if (pending !== undefined) {
      const { token, expiration } = await pending;
      if (expiration - MARGIN_SECONDS > now() / 1000) return token;
    }
    const taken = take(grant);
    held.set(key, taken);
    // A failure is not kept: the next call tries again.
    taken.catch(() => held.delete(key));
    return (await taken).token;
  };
  const withToken = async <Answer>(
    grant: GrantBody | null,
    use: (token: string) => Promise<Answer>,
  ): Promise<Answer> => {
    const key = JSON.stringify(grant);
    try {
      return await use(await find(grant, key));
    } catch (error) {
      // The password was renewed elsewhere, and its tokens ended.
      if (!(error instanceof Refusal && error.status === 401) || !held.delete(key)) throw error;
      return use(await find(grant, key));
    }
  };
  const forgetGrants = () => {
    for (const key of held.keys()) if (key !== 'null') held.delete(key);
  };
  return Object.assign(withToken, { forgetGrants });
}
