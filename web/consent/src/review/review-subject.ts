import type { Interaction } from '../api.ts';
import { formatClientName } from '../../../patient/client-name.ts';
import type { PatientWords } from '../../../patient/words/en.ts';

/** What a person decides on: the request of an app, or a consent that an organization asks for itself. */
export interface ReviewSubject extends Pick<
  Interaction,
  'organization' | 'project' | 'previous' | 'offlineAccess'
> {
  /** null: no app asks. */
  client: Interaction['client'] | null;
  /** By which consents the organization reads now. */
  reading?: Interaction['reading'];
  /** The type of what is asked. */
  consentType?: Interaction['reading'][number]['consentType'];
  /** What is in force ends soon, and is asked for again because of it. */
  renews?: boolean;
}

/** Names who asks: the app, or the organization. */
export const formatRequester = ({ client, organization }: ReviewSubject, words: PatientWords): string =>
  client === null ? organization.name : formatClientName(client, words);
