import { type ComponentType, lazy, Suspense, useState } from 'react';
import { SignInFlow } from '../account/sign-in-flow.tsx';
import { useSession } from '../account/use-session.ts';
import type { Navigation } from '../navigation.ts';
import type { MyDataPart } from '../route.ts';
import { Loading } from '../screens/loading.tsx';
import { ErrorScreen } from '../screens/error-screen.tsx';
import { useWords } from '../words/language.tsx';
import { AccountDeleted } from './account-deleted.tsx';
import type { PartProps } from './use-query.ts';

/** Loaded when it is looked at: who answers a request needs none of it. */
const Home = lazy(async () => ({ default: (await import('./home.tsx')).Home }));
const PARTS: Record<MyDataPart, ComponentType<PartProps>> = {
  activity: lazy(async () => ({ default: (await import('./activity/activity.tsx')).Activity })),
  receipts: lazy(async () => ({ default: (await import('./receipts/receipts.tsx')).Receipts })),
  documents: lazy(async () => ({ default: (await import('./documents/documents.tsx')).Documents })),
  download: lazy(async () => ({ default: (await import('./download.tsx')).Download })),
  'signing-in': lazy(async () => ({ default: (await import('./signing-in/signing-in.tsx')).SigningIn })),
  'delete-account': lazy(async () => ({ default: (await import('./delete-account.tsx')).DeleteAccount })),
};

export function MyData({ part, navigation }: { part: MyDataPart | null; navigation: Navigation }) {
  const { session, load } = useSession();
  const { myData } = useWords();
  const [deleted, setDeleted] = useState(false);
  if (deleted) return <AccountDeleted />;
  if (session.state === 'loading') return <Loading />;
  if (session.state === 'troubled')
    return <ErrorScreen failure={session.failure} onRetry={() => void load()} />;
  const { person } = session;
  if (person === null)
    return <SignInFlow navigation={navigation} lead={myData.signInFirst} onSignedIn={load} />;
  const Part = part === null ? Home : PARTS[part];
  return (
    <Suspense fallback={<Loading />}>
      {/* Another person's page begins afresh: nothing of one is shown under the name of the other. */}
      <Part key={person.email} person={person} reload={load} onDeleted={() => setDeleted(true)} />
    </Suspense>
  );
}
