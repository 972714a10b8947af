import type { ReactNode } from 'react';
import { Mark } from '../../look/mark.tsx';
import { Button } from '../../look/button.tsx';
import { useLanguage } from './words/language.tsx';
import './frame.css';

/** What stands around every screen. */
export function Frame({ children }: { children: ReactNode }) {
  const { language, words, speak } = useLanguage();
  const other = language === 'en' ? 'es' : 'en';
  return (
    <div className="frame">
      <header className="frame-head">
        <div className="frame-name">
          <Mark />
          <span>Chartgate</span>
        </div>
        <Button look="quiet" onPress={() => speak(other)}>
          <span lang={other}>{words.common.otherLanguage}</span>
        </Button>
      </header>
      <main className="frame-sheet">{children}</main>
      <footer className="frame-foot">{words.common.footer}</footer>
    </div>
  );
}
