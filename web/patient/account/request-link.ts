import type { Language } from '../../kit/languages.ts';
import type { AccountApi } from '../account-api.ts';
import type { LinkScreen } from '../step.ts';

interface LinkRequest {
  email: string;
  language: Language;
  /** The authorization request that the link continues. */
  continueWith: string | undefined;
}

/** Asks for the mail with a link; the answer does not reveal whether the address has an account. */
export async function requestLink(
  api: AccountApi,
  to: LinkScreen,
  { email, language, continueWith }: LinkRequest,
): Promise<void> {
  const body = { email, language, ...(continueWith !== undefined && { continueWith }) };
  await (to === 'sign-up' ? api.signUp(body) : api.forgottenPassword(body));
}
