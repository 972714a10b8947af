import { useMemo, useState } from 'react';
import { WordsProvider } from '../../../kit/language.tsx';
import type { Person } from '../../../patient/account-api.ts';
import type { Enrollment, EnrollmentConsent } from '../api.ts';
import type { Decide } from '../request/use-decide.ts';
import { type Choices, applyChoices } from '../review/choices.ts';
import type { ReviewSubject } from '../review/review-subject.ts';
import { Review } from '../review/review.tsx';
import { withReviewOf } from '../words/asks.ts';
import { useWords } from '../words/use-words.ts';

interface EnrollmentReviewProps {
  data: Enrollment;
  consent: EnrollmentConsent;
  person: Person;
  decide: Decide;
  evidenceOwner: string;
  /** Which of the decisions that are asked now; null where there is one. */
  place: { number: number; all: number } | null;
}

/** The review of one consent that an organization asks for: the same as of an app's request, in the words of its type. */
export function EnrollmentReview({ data, consent, place, ...props }: EnrollmentReviewProps) {
  const words = useWords();
  const [patch, setPatch] = useState<Partial<Choices>>({});
  const { consentType } = consent;
  const reviewWords = useMemo(() => withReviewOf(words, consentType), [words, consentType]);
  const subject = toReviewSubject(data, consent);
  return (
    <WordsProvider words={reviewWords}>
      <Review
        {...props}
        interaction={subject}
        choices={applyChoices(subject, patch)}
        updateChoices={(some) => setPatch((before) => ({ ...before, ...some }))}
        above={place && <p className="soft">{words.invitation.place(place.number, place.all)}</p>}
      />
    </WordsProvider>
  );
}

function toReviewSubject(
  { organization, project }: Enrollment,
  { content, previous }: EnrollmentConsent,
): ReviewSubject {
  const { id = '', name = '', purpose = null, studySnapshotId = '' } = project ?? {};
  return {
    client: null,
    organization,
    project: { id, name, purpose, studySnapshotId, content },
    previous,
    offlineAccess: true,
  };
}
