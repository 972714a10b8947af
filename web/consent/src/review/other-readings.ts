import { formatList } from '../../../kit/format-list.ts';
import type { Language } from '../../../kit/languages.ts';
import type { Interaction } from '../api.ts';
import type { Words } from '../words/en.ts';
import type { ReviewSubject } from './review-subject.ts';

type Readings = Interaction['reading'];

/** Lists by which consents the organization reads besides the one that is asked for: they go on, whatever is answered. */
export const listOtherReadings = ({
  reading = [],
  project,
  consentType = 'PATIENT_DIRECTED_DATA_EXCHANGE',
}: Pick<ReviewSubject, 'reading' | 'consentType'> & { project: { id: string } }): Readings =>
  reading.filter((each) => each.project.id !== project.id || each.consentType !== consentType);

/** Whether something is shared already: then it is not true that nothing is before a yes. */
export const isShared = (subject: ReviewSubject): boolean =>
  subject.previous?.inForce === true || listOtherReadings(subject).length > 0;

/** Names consents within a sentence, by what they do and the titles that the person read. */
export const quoteReadings = (readings: Readings, words: Words, language: Language): string =>
  formatList(
    readings.map(({ consentType, project: { name, titles } }) => {
      const title = titles[language] ?? titles.en ?? titles.es ?? name;
      return words.review.shared.quoted(`${words.invitation.types[consentType]} (${title})`);
    }),
    language,
  );
