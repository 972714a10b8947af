import type { PreviousConsent } from '../api.ts';
import { formatClientName } from '../../../patient/client-name.ts';
import type { Words } from '../words/en.ts';
import type { Language } from '../../../kit/languages.ts';
import { formatRequester, type ReviewSubject } from './review-subject.ts';
import { formatList } from '../../../kit/format-list.ts';

/** Names the other apps that read under the consent in force, each once; null when there is none. */
export function formatOtherApps(previous: PreviousConsent, words: Words, language: Language): string | null {
  const names = new Set(previous.clients.map((name) => formatClientName({ name }, words)));
  return previous.inForce && names.size > 0 ? formatList([...names], language) : null;
}

/** Names those who can read once the person consents. */
export const formatRecipients = (subject: ReviewSubject, words: Words): string =>
  words.review.what.getsText(formatRequester(subject, words), subject.organization.name);
