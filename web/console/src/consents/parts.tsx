import type { ComponentType } from 'react';
import type { ClientGrant } from '../../../../contract/data-categories.ts';
import { useLanguage } from '../words/use-words.ts';
import { formatScope } from './format-scope.ts';
import { useConsentWords } from './use-consent-words.ts';

interface PartsProps {
  parts: readonly ClientGrant[];
  Time: ComponentType<{ time: string }>;
}

/** The parts of a consent, each with its classes and its end: another part may have others. */
export function Parts({ parts, Time }: PartsProps) {
  const words = useConsentWords();
  const { language } = useLanguage();
  return parts.map((part) => {
    const text = formatScope(part, words, language);
    return (
      <div key={text + part.expirationTimestamp}>
        {text}: <Time time={part.expirationTimestamp} />
      </div>
    );
  });
}
