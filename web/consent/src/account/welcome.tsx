import type { Navigation } from '../navigation.ts';
import { Loading } from '../screens/loading.tsx';
import { ErrorScreen } from '../screens/error-screen.tsx';
import { Invitation } from './invitation.tsx';
import { SignInFlow } from './sign-in-flow.tsx';
import { SignedInStart, Start } from './start.tsx';
import { useSession } from './use-session.ts';
import { NextSteps } from './next-steps.tsx';

/** Without a request: an invitation from a mail, or just the page. */
export function Welcome({ to, navigation }: { to: 'invitation' | 'start'; navigation: Navigation }) {
  const { session, load } = useSession();
  if (session.state === 'loading') return <Loading />;
  if (session.state === 'troubled')
    return <ErrorScreen failure={session.failure} onRetry={() => void load()} />;
  if (session.person !== null) {
    const SignedIn = to === 'invitation' ? NextSteps : SignedInStart;
    return <SignedIn person={session.person} onSignedOut={load} />;
  }
  if (navigation.step !== null) return <SignInFlow navigation={navigation} onSignedIn={load} />;
  const SignedOut = to === 'invitation' ? Invitation : Start;
  return <SignedOut go={navigation.go} />;
}
