import { Screen } from '../../patient/screen.tsx';
import { useWords } from './words/use-words.ts';
import { Account } from './account.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { Parts } from './parts.tsx';
import { AskedAgain } from './consents/asked-again.tsx';
import { listDecided } from './consents/list-decided.ts';
import { MyConsents } from './consents/my-consents.tsx';
import { AskedNotice } from './documents/batch-question.tsx';
import { UnreadNotice } from './documents/unread-documents.tsx';
import { Sources } from './sources/sources.tsx';
import { useAppDeps } from './app-deps.ts';
import { usePersonQuery, type PersonProps } from './person-query.ts';

/** The home page: first what is shared and the way to stop it; the rest is a click away. */
export function Home(props: PersonProps) {
  const { api } = useAppDeps();
  const { myData } = useWords();
  const { query } = usePersonQuery(api.listEnrollmentRequests, props);
  // A failure to load is shown by the sections, which load as this does.
  const { enrollments, invitations } = query.state === 'loaded' ? query.data : NOTHING_ASKED;
  return (
    <Screen name="my-data" title={myData.title} lead={myData.lead}>
      <div>
        <AskedAgain requests={enrollments} />
        <MyConsents {...props} invitations={listDecided(invitations, enrollments)} />
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

const NOTHING_ASKED = { enrollments: [], invitations: [] };
