import type { ReactNode } from 'react';
import { Logo } from '../kit/logo.tsx';
import { Button } from '../kit/button.tsx';
import { useLanguage } from './words/use-words.ts';
import './frame.css';

/** The frame around every screen. */
export function Frame({ children }: { children: ReactNode }) {
  const { language, words, chooseLanguage } = useLanguage();
  const other = language === 'en' ? 'es' : 'en';
  return (
    <div className="frame">
      <header className="frame-head">
        <div className="frame-name">
          <Logo />
          <span>Chartgate</span>
        </div>
        <Button variant="quiet" onPress={() => chooseLanguage(other)}>
          <span lang={other}>{words.common.otherLanguage}</span>
        </Button>
      </header>
      <main className="frame-sheet">{children}</main>
      <footer className="frame-foot">{words.common.footer}</footer>
    </div>
  );
}
