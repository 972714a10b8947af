import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { en, type Words } from './en.ts';
import type { Language } from './languages.ts';
import { es } from './es.ts';

export type { Language };

interface LanguageContextValue {
  language: Language;
  words: Words;
  chooseLanguage(language: Language): void;
}

const DICTIONARIES: Record<Language, Words> = { en, es };
const STORAGE_KEY = 'chartgate-language';

const LanguageContext = createContext<LanguageContextValue | null>(null);

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(detectLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const chooseLanguage = (chosen: Language) => {
    saveLanguage(chosen);
    setLanguage(chosen);
  };
  return (
    <LanguageContext value={{ language, words: DICTIONARIES[language], chooseLanguage }}>
      <I18nProvider locale={language}>{children}</I18nProvider>
    </LanguageContext>
  );
}

export function useLanguage(): LanguageContextValue {
  const value = useContext(LanguageContext);
  if (value === null) throw new Error('There is no language around this screen.');
  return value;
}

export const useWords = (): Words => useLanguage().words;

/** The one chosen before, or the first of the browser's languages that we speak. */
function detectLanguage(): Language {
  const wanted = [loadLanguage(), ...navigator.languages].map((tag) => tag?.slice(0, 2).toLowerCase());
  return wanted.find((tag) => tag === 'en' || tag === 'es') ?? 'en';
}

// A browser may refuse its storage altogether; then the choice lasts as long as the page.
function loadLanguage(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function saveLanguage(language: Language): void {
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // Nothing is lost but the memory of it.
  }
}
