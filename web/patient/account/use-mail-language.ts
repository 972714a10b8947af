import { useEffect } from 'react';
import { type Person, useAccountApi } from '../account-api.ts';
import { useLanguage } from '../words/use-words.ts';

/** Mails to the person come in the language of the page that they use: whoever chooses another one here gets those in it too. */
export function useMailLanguage(person: Person | null): void {
  const { updateMyLanguage } = useAccountApi();
  const { language } = useLanguage();
  const email = person?.email ?? null;
  useEffect(() => {
    // Not worth a word where it fails: the next page says it again.
    if (email !== null) void updateMyLanguage(language).catch(() => undefined);
  }, [updateMyLanguage, email, language]);
}
