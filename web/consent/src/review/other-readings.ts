import type { ConsentType, ReadingConsent } from '../../../../contract/account/consent.ts';
import { formatList } from '../../../kit/format-list.ts';
import type { Language } from '../../../kit/languages.ts';
import type { Words } from '../words/en.ts';

/** What a decision is about, as far as it shows what is shared already. */
interface Asked {
  /** By which consents the organization reads now; of a node of the version before: not known. */
  reading?: readonly ReadingConsent[];
  /** Of what is asked for; an app asks for its own. */
  consentType?: ConsentType;
  project: { id: string };
  previous: { inForce: boolean } | null;
}

/** Lists by which consents the organization reads besides the one that is asked for: they go on, whatever is answered. */
export const listOtherReadings = ({
  reading = [],
  project,
  consentType = 'PATIENT_DIRECTED_DATA_EXCHANGE',
}: Omit<Asked, 'previous'>): ReadingConsent[] =>
  reading.filter((each) => each.project.id !== project.id || each.consentType !== consentType);

/** Whether something is shared already: then it is not true that nothing is before a yes. */
export const isShared = (asked: Asked): boolean =>
  asked.previous?.inForce === true || listOtherReadings(asked).length > 0;

/** Names consents within a sentence, by what they do and the titles that the person read. */
export const quoteReadings = (
  readings: readonly ReadingConsent[],
  words: Words,
  language: Language,
): string =>
  formatList(
    readings.map(({ consentType, project: { name, titles } }) => {
      const title = titles[language] ?? titles.en ?? titles.es ?? name;
      return words.review.shared.quoted(`${words.invitation.types[consentType]} (${title})`);
    }),
    language,
  );
