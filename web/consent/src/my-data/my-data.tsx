import { Signing } from '../account/signing.tsx';
import { useSession } from '../account/use-session.ts';
import type { Address } from '../address.ts';
import { Screen } from '../screen.tsx';
import { Loading } from '../screens/loading.tsx';
import { TroubleScreen } from '../screens/trouble.tsx';
import { useWords } from '../words/language.tsx';
import { Account } from './account.tsx';
import { WhatYouShare } from './what-you-share.tsx';

/** A person's own view, in this order. What else is theirs (who has read, what they uploaded) is one more of these. */
const SECTIONS = [WhatYouShare, Account];

export function MyData({ address }: { address: Address }) {
  const { session, load } = useSession();
  const { myData } = useWords();
  if (session.state === 'loading') return <Loading />;
  if (session.state === 'troubled')
    return <TroubleScreen trouble={session.trouble} onRetry={() => void load()} />;
  const { person } = session;
  if (person === null) return <Signing address={address} lead={myData.signInFirst} onSignedIn={load} />;
  return (
    // Another person's page begins afresh: nothing of one is shown under the name of the other.
    <Screen key={person.email} name="my-data" title={myData.title} lead={myData.lead}>
      <div>
        {SECTIONS.map((Section) => (
          <Section key={Section.name} person={person} reload={load} />
        ))}
      </div>
    </Screen>
  );
}
