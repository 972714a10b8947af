import { Notice } from '../../../kit/notice.tsx';
import type { VersionContent } from './project-data.ts';
import { useProjectWords } from './use-project-words.ts';

/** Names the consents whose words are not those of the project. */
export function OwnWords({ project: { consentTypes } }: { project: VersionContent }) {
  const words = useProjectWords();
  const own = consentTypes.filter(({ content }) => content !== null);
  if (own.length === 0) return null;
  return (
    <Notice>
      <p>{words.ownWords(own.map(({ type }) => words.types[type]).join(', '))}</p>
    </Notice>
  );
}
