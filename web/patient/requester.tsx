import type { ReactNode } from 'react';
import { Icon } from '../kit/icon.tsx';
import type { Interaction } from '../../contract/oauth/interaction.ts';
import { Notice } from '../kit/notice.tsx';
import { useWords } from './words/use-words.ts';
import { formatClientName } from './client-name.ts';
import './requester.css';

interface RequesterProps {
  client: Pick<Interaction['client'], 'name' | 'verifiedHost'>;
  /** Further facts about the client. */
  children?: ReactNode;
}

/** The client: the name that it gives itself, and whether anybody has verified it. */
export function Requester({ client, children }: RequesterProps) {
  const words = useWords();
  const name = formatClientName(client, words);
  const { verifiedHost: host } = client;
  const badge = host === null ? 'unverified' : 'verified';
  return (
    <div className={`asker asker-${badge}`}>
      <span className="asker-letter" aria-hidden="true">
        {/\p{L}|\p{N}/u.exec(name)?.[0].toUpperCase() ?? '?'}
      </span>
      <div className="asker-words">
        <p className="asker-name">{name}</p>
        <p className="asker-badge">
          <Icon name={host === null ? 'warning' : 'verified'} />
          <span>{host === null ? words.requester.unverified : words.requester.verified(host)}</span>
        </p>
        {children}
      </div>
    </div>
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
