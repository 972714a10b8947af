import type {
  endConsoleSession,
  endOtherConsoleSessions,
  listConsoleSessions,
} from '../../../../contract/console/sessions.ts';
import type { z } from 'zod';
import { Button } from '../../../kit/button.tsx';
import { Table } from '../../../kit/table.tsx';
import { useTask } from '../../../kit/task.ts';
import { useConsole } from '../api/use-console.ts';
import { useData, useRefresh } from '../api/use-data.ts';
import { Badge } from '../kit/badge.tsx';
import { Section } from '../kit/page.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { States } from '../kit/states.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useProfileWords } from './use-profile-words.ts';

type ListedSession = z.infer<(typeof listConsoleSessions)['response']>['sessions'][number];

/** Where the member is signed in; every other place can be ended from here, or all at once. */
export function SessionList() {
  const words = useProfileWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const { refusal, run } = useTask();
  const query = useData<typeof listConsoleSessions>('GET /console/sessions');
  const end = (send: () => Promise<unknown>, text: string) =>
    run(async () => {
      await send();
      await refresh('GET /console/sessions');
      toast(text);
    });
  const endOne = ({ id, device }: ListedSession) =>
    end(
      () => call<typeof endConsoleSession>('POST /console/sessions/end', { body: { id } }),
      words.ended(device || words.unnamed),
    );
  const endOthers = () =>
    end(() => call<typeof endOtherConsoleSessions>('POST /console/sessions/end-others'), words.othersEnded);
  return (
    <Section title={words.sessions}>
      <p className="soft">{words.sessionsLead}</p>
      {refusal && <RefusalNotice refusal={refusal} />}
      <States query={query}>
        {({ sessions }) => (
          <div className="stack">
            <SessionTable sessions={sessions} onEnd={endOne} />
            {sessions.length > 1 && (
              <div>
                <Button onPress={endOthers}>{words.endOthers}</Button>
              </div>
            )}
          </div>
        )}
      </States>
    </Section>
  );
}

interface SessionTableProps {
  sessions: readonly ListedSession[];
  onEnd: (session: ListedSession) => void;
}

function SessionTable({ sessions, onEnd }: SessionTableProps) {
  const words = useProfileWords();
  return (
    <Table
      caption={words.sessions}
      columns={[
        { header: words.device, render: ({ device }) => device || words.unnamed },
        { header: words.signedIn, render: ({ signedInAt }) => <RelativeTime time={signedInAt} /> },
        {
          header: words.lastUsed,
          render: ({ isThis, lastUsedAt }) =>
            isThis ? <Badge kind="good">{words.thisOne}</Badge> : <RelativeTime time={lastUsedAt} />,
        },
        {
          header: words.end,
          render: (session) =>
            !session.isThis && (
              <Button variant="quiet" onPress={() => onEnd(session)}>
                {words.end}
              </Button>
            ),
        },
      ]}
      rows={sessions}
      getKey={({ id }) => id}
      empty={null}
    />
  );
}
