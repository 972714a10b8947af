import type { StepNavigation } from '../../../kit/navigation.ts';
import type { Step } from '../../../patient/step.ts';
import { toFailure } from '../../../patient/failure.ts';
import { Loading } from '../../../patient/loading.tsx';
import { useSpeaker } from '../../../patient/brand.tsx';
import { ErrorScreen } from '../../../patient/error-screen.tsx';
import { SignInFlow } from '../../../patient/account/sign-in-flow.tsx';
import { SignedInStart, Start } from './start.tsx';
import { useSession } from '../../../patient/account/use-session.ts';

/** The page without a request: its bare address. */
export function Welcome({ navigation }: { navigation: StepNavigation<Step> }) {
  const { query, load } = useSession();
  useSpeaker(query.state === 'loaded' ? query.data.organization : null);
  if (query.state === 'loading') return <Loading />;
  if (query.state === 'error')
    return <ErrorScreen failure={toFailure(query.refusal)} onRetry={() => void load()} />;
  const { person } = query.data;
  if (person !== null) return <SignedInStart person={person} onSignedOut={load} />;
  if (navigation.step !== null) return <SignInFlow navigation={navigation} onSignedIn={load} />;
  return <Start go={navigation.go} />;
}
