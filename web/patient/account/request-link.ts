import type { Language } from '../../kit/languages.ts';
import type { AccountApi } from '../account-api.ts';
import type { LinkScreen } from '../step.ts';

/** What a mailed link goes on with. */
export interface ContinuedLink {
  /** The authorization request. */
  continueWith: string | undefined;
  /** The project that the person comes for. */
  projectId: string | undefined;
}

interface LinkRequest extends ContinuedLink {
  email: string;
  language: Language;
}

/** Asks for the mail with a link; the answer does not reveal whether the address has an account. */
export async function requestLink(
  api: AccountApi,
  to: LinkScreen,
  { email, language, continueWith, projectId }: LinkRequest,
): Promise<void> {
  const body = {
    email,
    language,
    ...(continueWith !== undefined && { continueWith }),
    ...(projectId !== undefined && { projectId }),
  };
  await (to === 'sign-up' ? api.signUp(body) : api.forgottenPassword(body));
}
