import { useRef, useState } from 'react';
import { Icon } from '../../../kit/icon.tsx';
import { formatDateTime } from '../../../kit/format-date.ts';
import { useAppDeps } from '../app-deps.ts';
import type { Sessions } from '../api.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { Loaded } from '../loaded.tsx';
import { endOnce, useGuardedAction, usePersonQuery, type PersonProps } from '../person-query.ts';
import { StatusMessage } from '../status-message.tsx';
import { useLanguage, useWords } from '../words/use-words.ts';

type Session = Sessions['sessions'][number];

/** Where the person is signed in; every other place can be signed out from here. */
export function SessionList(personProps: PersonProps) {
  const { api } = useAppDeps();
  const { sessions } = useWords().myData;
  const query = usePersonQuery(api.listSessions, personProps);
  const runGuarded = useGuardedAction(personProps);
  const [status, setStatus] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const end = async (send: () => Promise<unknown>, text: string) => {
    if (!(await runGuarded(send))) return;
    setStatus(text);
    heading.current?.focus();
    await query.load();
  };
  const endOne = ({ id, device }: Session) =>
    end(
      endOnce(() => api.endSession({ id })),
      sessions.ended(device || sessions.unnamed),
    );
  return (
    <section className="aside">
      <h2 ref={heading} tabIndex={-1}>
        {sessions.title}
      </h2>
      <p>{sessions.lead}</p>
      <StatusMessage text={status} />
      <Loaded of={query}>
        {(loaded) => (
          <div className="stack">
            <ul className="passkeys">
              {loaded.sessions.map((session) => (
                <SessionItem key={session.id} session={session} onEnd={() => endOne(session)} />
              ))}
            </ul>
            {loaded.sessions.length > 1 && (
              <EndOthers onEnd={() => end(() => api.endOtherSessions(), sessions.othersEnded)} />
            )}
          </div>
        )}
      </Loaded>
    </section>
  );
}

function EndOthers({ onEnd }: { onEnd: () => Promise<void> }) {
  const { sessions } = useWords().myData;
  return (
    <ConfirmButton
      label={sessions.endOthers}
      subject=""
      title={sessions.endOthersTitle}
      confirmLabel={sessions.yesEndOthers}
      cancelLabel={sessions.keepOthers}
      onConfirm={onEnd}
    >
      <p>{sessions.endOthersText}</p>
    </ConfirmButton>
  );
}

function SessionItem({ session, onEnd }: { session: Session; onEnd: () => Promise<void> }) {
  const { words, language } = useLanguage();
  const { sessions } = words.myData;
  const name = session.device || sessions.unnamed;
  return (
    <li className="passkey">
      <span className="passkey-icon">
        <Icon name={session.isThis ? 'check' : 'app'} />
      </span>
      <div>
        <p className="passkey-name">{name}</p>
        {session.isThis && <p className="small">{sessions.thisOne}</p>}
        <p className="soft small">{sessions.since(formatDateTime(session.signedInAt, language))}</p>
        {!session.isThis && (
          <p className="soft small">{sessions.lastUsed(formatDateTime(session.lastUsedAt, language))}</p>
        )}
      </div>
      {!session.isThis && (
        <div className="passkey-ways">
          <ConfirmButton
            label={sessions.end}
            subject={name}
            variant="quiet"
            title={sessions.endTitle(name)}
            confirmLabel={sessions.yesEnd}
            cancelLabel={sessions.keep}
            onConfirm={onEnd}
          >
            <p>{sessions.endText}</p>
          </ConfirmButton>
        </div>
      )}
    </li>
  );
}
