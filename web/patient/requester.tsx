import type { ReactNode } from 'react';
import { Icon } from '../kit/icon.tsx';
import type { Interaction } from '../../contract/oauth/interaction.ts';
import { Notice } from '../kit/notice.tsx';
import { useWords } from './words/use-words.ts';
import { formatClientName } from './client-name.ts';
import './requester.css';

interface RequesterProps {
  client: Pick<Interaction['client'], 'name' | 'verifiedHost'> &
    Partial<Pick<Interaction['client'], 'knownBy'>>;
  /** Further facts about the client. */
  children?: ReactNode;
}

/** The client: the name that it gives itself, and whether anybody has verified it or knows it. */
export function Requester({ client, children }: RequesterProps) {
  const words = useWords();
  const name = formatClientName(client, words);
  const { verifiedHost: host, knownBy = null } = client;
  const badge = host === null && knownBy === null ? 'unverified' : 'verified';
  return (
    <div className={`asker asker-${badge}`}>
      <span className="asker-letter" aria-hidden="true">
        {/\p{L}|\p{N}/u.exec(name)?.[0].toUpperCase() ?? '?'}
      </span>
      <div className="asker-words">
        <p className="asker-name">{name}</p>
        {knownBy !== null && (
          <Badge icon="verified" text={words.requester.knownBy(formatClientName({ name: knownBy }, words))} />
        )}
        {host !== null && <Badge icon="verified" text={words.requester.verified(host)} />}
        {badge === 'unverified' && <Badge icon="warning" text={words.requester.unverified} />}
        {children}
      </div>
    </div>
  );
}

function Badge({ icon, text }: { icon: 'verified' | 'warning'; text: string }) {
  return (
    <p className="asker-badge">
      <Icon name={icon} />
      <span>{text}</span>
    </p>
  );
}

/** Warns of a client whose name resembles a well-known one. */
export function LookalikeWarning({ client }: { client: Interaction['client'] }) {
  const words = useWords();
  const { requester } = words;
  if (client.looksLike === null) return null;
  return (
    <Notice kind="danger">
      <p>
        <strong>{requester.looksLike(formatClientName(client, words), client.looksLike)}</strong>
      </p>
      <p>{requester.looksLikeAdvice}</p>
    </Notice>
  );
}
