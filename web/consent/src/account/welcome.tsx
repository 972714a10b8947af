import type { StepNavigation } from '../../../kit/navigation.ts';
import type { Step } from '../../../patient/step.ts';
import { toFailure } from '../../../patient/failure.ts';
import { Loading } from '../../../patient/loading.tsx';
import { ErrorScreen } from '../../../patient/error-screen.tsx';
import { Invitation } from './invitation.tsx';
import { SignInFlow } from '../../../patient/account/sign-in-flow.tsx';
import { SignedInStart, Start } from './start.tsx';
import { useSession } from '../../../patient/account/use-session.ts';
import { NextSteps } from './next-steps.tsx';

/** The page without a request: an invitation from a mail, or its bare address. */
export function Welcome({
  to,
  navigation,
}: {
  to: 'invitation' | 'start';
  navigation: StepNavigation<Step>;
}) {
  const { query, load } = useSession();
  if (query.state === 'loading') return <Loading />;
  if (query.state === 'error')
    return <ErrorScreen failure={toFailure(query.refusal)} onRetry={() => void load()} />;
  const { person } = query.data;
  if (person !== null) {
    const SignedIn = to === 'invitation' ? NextSteps : SignedInStart;
    return <SignedIn person={person} onSignedOut={load} />;
  }
  if (navigation.step !== null) return <SignInFlow navigation={navigation} onSignedIn={load} />;
  const SignedOut = to === 'invitation' ? Invitation : Start;
  return <SignedOut go={navigation.go} />;
}
