import { Notice } from '../../../look/notice.tsx';
import type { Interaction } from '../api/api.ts';
import { useWords } from '../words/language.tsx';
import { clientName } from './client-name.ts';

/** A name that everybody knows is what a false app would take. */
export function LooksLike({ client }: { client: Interaction['client'] }) {
  const words = useWords();
  const { asker } = words;
  if (client.looksLike === null) return null;
  return (
    <Notice kind="danger">
      <p>
        <strong>{asker.looksLike(clientName(client, words), client.looksLike)}</strong>
      </p>
      <p>{asker.looksLikeAdvice}</p>
    </Notice>
  );
}
