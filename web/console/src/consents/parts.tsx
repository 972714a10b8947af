import type { ComponentType } from 'react';
import type { ClientGrant, ConsentScopes } from '../../../../contract/data-categories.ts';
import { formatList } from '../../../kit/format-list.ts';
import type { Language } from '../../../kit/languages.ts';
import { useLanguage } from '../words/use-words.ts';
import { coversClass, formatScope, listClasses } from './format-scope.ts';
import { useConsentWords } from './use-consent-words.ts';
import type { ConsentWords } from './words/en.ts';

interface PartsProps {
  parts: readonly ClientGrant[];
  Time: ComponentType<{ time: string }>;
}

/** The parts of a consent, each with its end. */
export function Parts({ parts, Time }: PartsProps) {
  const words = useConsentWords();
  const { language } = useLanguage();
  return parts.map((part) => {
    const text = formatPart(part, words, language);
    return (
      <div key={text + part.expirationTimestamp}>
        {text}: <Time time={part.expirationTimestamp} />
      </div>
    );
  });
}

/** What a part covers, with its protected classes: another part may have others. */
function formatPart(part: ConsentScopes, words: ConsentWords, language: Language): string {
  const classes = listClasses(words).filter((name) => coversClass(part, name));
  const scope = formatScope(part, words, language);
  if (classes.length === 0 || scope === words.scope.everythingAndMore) return scope;
  return words.scope.withClasses(
    scope,
    formatList(
      classes.map((name) => words.classes[name]),
      language,
    ),
  );
}
