import { Notice } from '../../../kit/notice.tsx';
import { findMissingTranslations, readTexts } from './content-fields.ts';
import type { VersionContent } from './project-data.ts';
import { useDescribeField } from './use-describe-field.ts';
import { useProjectWords } from './use-project-words.ts';

/** Names the texts that one language has and the other lacks, of the project and of consents with words of their own. */
export function MissingTranslations({ version: { content, consentTypes } }: { version: VersionContent }) {
  const words = useProjectWords();
  const describeField = useDescribeField();
  const all = [{ type: null, content }, ...consentTypes.filter((asked) => asked.content !== null)];
  const missing = all.flatMap(({ type, content: written }) =>
    findMissingTranslations(readTexts(written)).map((field) => describeField(field, type)),
  );
  if (missing.length === 0) return null;
  return (
    <Notice kind="warning">
      <p>{words.missingTranslations}</p>
      <ul className="project-kept">
        {missing.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </Notice>
  );
}
