import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { en, type Words } from './en.ts';
import type { Language } from './spoken.ts';
import { es } from './es.ts';

export type { Language };

interface Spoken {
  language: Language;
  words: Words;
  speak(language: Language): void;
}

const DICTIONARIES: Record<Language, Words> = { en, es };
const KEPT = 'chartgate-language';

const LanguageContext = createContext<Spoken | null>(null);

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const speak = (chosen: Language) => {
    keep(chosen);
    setLanguage(chosen);
  };
  return (
    <LanguageContext value={{ language, words: DICTIONARIES[language], speak }}>
      <I18nProvider locale={language}>{children}</I18nProvider>
    </LanguageContext>
  );
}

export function useLanguage(): Spoken {
  const spoken = useContext(LanguageContext);
  if (spoken === null) throw new Error('There is no language around this screen.');
  return spoken;
}

export const useWords = (): Words => useLanguage().words;

/** The one chosen before, or the first of the browser's languages that we speak. */
function firstLanguage(): Language {
  const wanted = [kept(), ...navigator.languages].map((tag) => tag?.slice(0, 2).toLowerCase());
  return wanted.find((tag) => tag === 'en' || tag === 'es') ?? 'en';
}

// A browser may refuse its storage altogether; then the choice lasts as long as the page.
function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function keep(language: Language): void {
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    // Nothing is lost but the memory of it.
  }
}
