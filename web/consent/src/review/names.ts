import type { Interaction, Person, PreviousConsent } from '../api/api.ts';
import { clientName } from '../request/client-name.ts';
import type { Words } from '../words/en.ts';
import type { Language } from '../words/spoken.ts';
import { listOf } from '../words/list.ts';

export const nameOf = ({ firstName, lastName }: Person): string => `${firstName} ${lastName}`;

/** Other apps that read under the consent in force, each once; null: there is none. */
export function otherApps(previous: PreviousConsent, words: Words, language: Language): string | null {
  const names = new Set(previous.clients.map((name) => clientName({ name }, words)));
  return previous.inForce && names.size > 0 ? listOf([...names], language) : null;
}

/** Whoever can read, once the answer is yes. */
export const recipients = ({ client, organization }: Interaction, words: Words): string =>
  words.review.what.getsText(clientName(client, words), organization.name);
