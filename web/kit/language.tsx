import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import type { Language } from './languages.ts';

interface LanguageContextValue<Words> {
  language: Language;
  words: Words;
  chooseLanguage(language: Language): void;
}

const STORAGE_KEY = 'chartgate-language';

const LanguageContext = createContext<LanguageContextValue<unknown> | null>(null);

interface LanguageProviderProps {
  /** What the app says, by language. */
  dictionaries: Readonly<Record<Language, unknown>>;
  children: ReactNode;
}

export function LanguageProvider({ dictionaries, children }: LanguageProviderProps) {
  const [language, setLanguage] = useState(detectLanguage);
  useEffect(() => {
    // Another tab of this browser has chosen.
    const follow = ({ key }: StorageEvent) => void (key === STORAGE_KEY && setLanguage(detectLanguage()));
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, []);
  const chooseLanguage = (chosen: Language) => {
    saveLanguage(chosen);
    setLanguage(chosen);
  };
  return <GivenLanguage {...{ language, dictionaries, chooseLanguage }}>{children}</GivenLanguage>;
}

interface GivenLanguageProps extends LanguageProviderProps {
  language: Language;
  chooseLanguage: (language: Language) => void;
}

/** A language that somebody else keeps, such as the page around a frame; nothing of it is stored. */
export function GivenLanguage({ language, dictionaries, chooseLanguage, children }: GivenLanguageProps) {
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <LanguageContext value={{ language, words: dictionaries[language], chooseLanguage }}>
      <I18nProvider locale={language}>{children}</I18nProvider>
    </LanguageContext>
  );
}

/** Puts these words in the place of the app's, for the screens inside. */
export function WordsProvider({ words, children }: { words: unknown; children: ReactNode }) {
  const value = useLanguageContext<unknown>();
  return <LanguageContext value={{ ...value, words }}>{children}</LanguageContext>;
}

/** `Words` are those of the app, or a part of them: each app gives this hook its own type once. */
export function useLanguageContext<Words>(): LanguageContextValue<Words> {
  const value = useContext(LanguageContext);
  if (value === null) throw new Error('This screen has no LanguageProvider around it.');
  return value as LanguageContextValue<Words>;
}

/** The language chosen before, or the first of the browser's languages that we have. */
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
    // The language then lasts as long as the page.
  }
}
