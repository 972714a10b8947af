import { Screen } from '../../patient/screen.tsx';
import { useWords } from './words/use-words.ts';
import { Account } from './account.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { Parts } from './parts.tsx';
import { AskedAgain } from './consents/asked-again.tsx';
import { MyConsents } from './consents/my-consents.tsx';
import { AskedNotice } from './documents/batch-question.tsx';
import { UnreadNotice } from './documents/unread-documents.tsx';
import { Sources } from './sources/sources.tsx';
import type { PersonProps } from './person-query.ts';

/** The home page: first what is shared and the way to stop it; the rest is a click away. */
export function Home(props: PersonProps) {
  const { myData } = useWords();
  return (
    <Screen name="my-data" title={myData.title} lead={myData.lead}>
      <div>
        <AskedAgain {...props} />
        <MyConsents {...props} />
        <AskedNotice {...props} />
        <UnreadNotice {...props} />
        <Sources {...props} />
        <RecentActivity {...props} />
        <Parts />
        <Account {...props} />
      </div>
    </Screen>
  );
}
