import { useMemo } from 'react';
import type { StepNavigation } from '../../../kit/navigation.ts';
import { WordsProvider } from '../../../kit/language.tsx';
import type { Person } from '../../../patient/account-api.ts';
import { getPersonKey } from '../../../patient/same-person.ts';
import type { Enrollment, EnrollmentConsent } from '../api.ts';
import { useEnrollmentDraft } from '../draft/use-draft-port.ts';
import { useDraft } from '../draft/use-draft.ts';
import type { Step } from '../../../patient/step.ts';
import { ConfirmIdentity } from '../request/confirm-identity.tsx';
import type { Decide } from '../request/use-decide.ts';
import { useIdentity } from '../request/use-identity.ts';
import type { ReviewSubject } from '../review/review-subject.ts';
import { Review } from '../review/review.tsx';
import { withReviewOf } from '../words/asks.ts';
import { useWords } from '../words/use-words.ts';

interface EnrollmentReviewProps {
  studyId: string;
  navigation: StepNavigation<Step>;
  data: Enrollment;
  consent: EnrollmentConsent;
  person: Person;
  decide: Decide;
  onSignedOut: () => Promise<void>;
  refresh: () => Promise<boolean>;
  /** Which of the decisions that are asked now; null where there is one. */
  place: { number: number; all: number } | null;
}

/** The review of one consent that an organization asks for: the same as of an app's request, in the words of its type. */
export function EnrollmentReview(props: EnrollmentReviewProps) {
  const { studyId, navigation, data, consent, person, decide, place, onSignedOut, refresh } = props;
  const words = useWords();
  const { consentType } = consent;
  const port = useEnrollmentDraft(studyId, consentType);
  const reviewWords = useMemo(() => withReviewOf(words, consentType), [words, consentType]);
  const subject = toReviewSubject(data, consent);
  const draft = useDraft({ port, held: consent.draft, subject, person, navigation });
  // One picture of the person serves all decisions of an invitation; after a reload it is that of the decision's draft.
  const evidenceOwner = `invitation ${studyId} ${getPersonKey(person)}`;
  const identity = useIdentity({ draft, person, evidenceOwner, navigation, refresh });
  const above = place && <p className="soft">{words.invitation.place(place.number, place.all)}</p>;
  if (identity.isAsked) {
    const isNext = identity.again === 'missing' && place !== null && place.number > 1;
    return (
      <ConfirmIdentity
        {...identity}
        {...{ person, evidenceOwner, port, above, onSignedOut }}
        again={isNext ? 'next' : identity.again}
      />
    );
  }
  return (
    <WordsProvider words={reviewWords}>
      <Review
        {...{ person, decide, draft, evidenceOwner }}
        interaction={subject}
        confirmAgain={identity.confirmAgain}
        above={above}
      />
    </WordsProvider>
  );
}

function toReviewSubject(
  { organization, project, reading }: Enrollment,
  { consentType, content, previous, asked }: EnrollmentConsent,
): ReviewSubject {
  const { id = '', name = '', purpose = null, studySnapshotId = '' } = project ?? {};
  return {
    client: null,
    organization,
    project: { id, name, purpose, studySnapshotId, content },
    previous,
    reading,
    consentType,
    offlineAccess: true,
    renews: asked === 'expires_soon',
  };
}
