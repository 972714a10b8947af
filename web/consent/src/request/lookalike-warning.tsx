import { Notice } from '../../../kit/notice.tsx';
import type { Interaction } from '../api/api.ts';
import { useWords } from '../words/language.tsx';
import { formatClientName } from './client-name.ts';

/** A name that everybody knows is what a false app would take. */
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
