import { useCallback, useState } from 'react';
import type { StepNavigation } from '../../../kit/navigation.ts';
import { type Query, useQuery } from '../../../kit/query.ts';
import { useOnReturn } from '../../../kit/use-on-return.ts';
import { SignInFlow } from '../../../patient/account/sign-in-flow.tsx';
import { useMailLanguage } from '../../../patient/account/use-mail-language.ts';
import type { Person } from '../../../patient/account-api.ts';
import { useSpeaker } from '../../../patient/brand.tsx';
import { ErrorScreen } from '../../../patient/error-screen.tsx';
import { toFailure } from '../../../patient/failure.ts';
import { Loading } from '../../../patient/loading.tsx';
import { LostAction, type Loss } from '../../../patient/lost-action.tsx';
import { confirmPerson, getPersonKey } from '../../../patient/same-person.ts';
import type { Step } from '../../../patient/step.ts';
import type { Decision, Enrollment, EnrollmentConsent } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { useSendDecision } from '../request/use-decide.ts';
import { OrganizationCard } from '../review/organization-card.tsx';
import { useWords } from '../words/use-words.ts';
import { EnrollmentReview } from './enrollment-review.tsx';
import { Invitation } from './invitation.tsx';
import { NextSteps } from './next-steps.tsx';
import { NotInvited } from './not-invited.tsx';

interface EnrollmentPageProps {
  studyId: string;
  navigation: StepNavigation<Step>;
}

/** An invitation of an organization: each consent that its project asks for, reviewed without an app, then what comes next. */
export function EnrollmentPage({ studyId, navigation }: EnrollmentPageProps) {
  const enrollment = useEnrollment(studyId);
  const { query, load } = enrollment;
  const [lost, setLost] = useState<Loss | null>(null);
  useMailLanguage(query.state === 'loaded' ? query.data.person : null);
  useSpeaker(query.state === 'loaded' ? query.data.organization : null);
  if (query.state === 'loading') return <Loading />;
  if (query.state === 'error')
    return <ErrorScreen about="invitation" failure={toFailure(query.refusal)} onRetry={() => void load()} />;
  const { data } = query;
  if (data.person === null) return <SignedOut {...{ studyId, navigation, data, load, lost }} />;
  if (!data.enrolled) return <NotInvited person={data.person} enrollment={data} onSignedOut={load} />;
  return (
    <>
      <LostAction lost={lost} person={data.person} />
      <Invited
        {...{ studyId, navigation, enrollment, data, lost }}
        person={data.person}
        onNotDone={setLost}
      />
    </>
  );
}

function useEnrollment(studyId: string): Query<Enrollment> {
  const { api } = useAppDeps();
  const enrollment = useQuery(useCallback(() => api.getEnrollment(studyId), [api, studyId]));
  useOnReturn(enrollment.refresh);
  return enrollment;
}

interface PartProps extends EnrollmentPageProps {
  data: Enrollment;
}

interface SignedOutProps extends PartProps {
  load: () => Promise<void>;
  /** Why the last decision was not made. */
  lost: Loss | null;
}

function SignedOut({ studyId, navigation, data, load, lost }: SignedOutProps) {
  const { invitation } = useWords();
  // Whoever decided when the session had ended has read the invitation before.
  if (lost === null && (navigation.step === null || navigation.step.at === 'confirmed'))
    return <Invitation organization={data.organization} go={navigation.go} />;
  return (
    <SignInFlow
      navigation={navigation}
      projectId={studyId}
      above={
        <>
          <LostAction lost={lost} />
          <OrganizationCard organization={data.organization} />
        </>
      }
      lead={invitation.signInFirst(data.organization.name)}
      onSignedIn={load}
    />
  );
}

interface InvitedProps extends PartProps {
  enrollment: Query<Enrollment>;
  person: Person;
  /** What was not done; null where the last decision was made. */
  lost: Loss | null;
  onNotDone: (lost: Loss | null) => void;
}

/** Who takes part: one review for each consent that is asked, then the next steps. */
function Invited({ studyId, navigation, enrollment, data, person, lost, onNotDone }: InvitedProps) {
  const [reopened, setReopened] = useState<EnrollmentConsent['consentType'] | null>(null);
  const [asked] = useState(() => data.consents.filter((consent) => consent.asked !== null).length);
  const current =
    data.consents.find(({ consentType }) => consentType === reopened) ??
    data.consents.find((consent) => consent.asked !== null);
  // What the page knows may be over: the account deleted, say, or the invitation ended.
  const reopen = async (consentType: EnrollmentConsent['consentType']): Promise<void> => {
    await enrollment.refresh();
    setReopened(consentType);
  };
  const decide = useDecideConsent(studyId, enrollment, {
    consent: current ?? null,
    onNotDone,
    onDecided: () => {
      // What was chosen for this decision is over with it.
      navigation.replace({ at: 'confirmed', person: getPersonKey(person) });
      setReopened(null);
    },
  });
  if (!current)
    return (
      <NextSteps {...{ person, lost }} enrollment={data} reopen={reopen} onSignedOut={enrollment.load} />
    );
  const left = data.consents.filter((consent) => consent.asked !== null).length;
  const place = reopened === null && asked > 1 ? { number: asked - left + 1, all: asked } : null;
  return (
    <EnrollmentReview
      key={`${current.consentType} ${getPersonKey(person)}`}
      {...{ studyId, navigation, data, consent: current, person, decide, place }}
      onSignedOut={enrollment.load}
      refresh={enrollment.refresh}
    />
  );
}

/** Sends the decision on one consent, and shows what the service knows then: the next one, or none. */
function useDecideConsent(
  studyId: string,
  enrollment: Query<Enrollment>,
  {
    consent,
    onDecided,
    onNotDone,
  }: Pick<InvitedProps, 'onNotDone'> & { consent: EnrollmentConsent | null; onDecided: () => void },
) {
  const { api } = useAppDeps();
  const send = async (data: Enrollment, body: Decision): Promise<Enrollment> => {
    if (consent === null || data.project === null || data.person === null) return data;
    await api.decideEnrollment(studyId, {
      ...body,
      consentType: consent.consentType,
      ...confirmPerson(data.person),
      studySnapshotId: data.project.studySnapshotId,
      replaces: consent.decision?.consentRecordId ?? null,
    });
    return api.getEnrollment(studyId);
  };
  // The review is left in the rendering that knows the decision: until then the next steps would show the one before.
  const settle: typeof enrollment.settle = (state) => {
    if (state.state === 'loaded') onDecided();
    enrollment.settle(state);
  };
  return useSendDecision({ ...enrollment, settle, onNotDone }, send);
}
