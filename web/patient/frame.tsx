import type { ReactNode } from 'react';
import { Logo } from '../kit/logo.tsx';
import { Mark, useBrandedOrganization } from './brand.tsx';
import { Button } from '../kit/button.tsx';
import { useLanguage } from './words/use-words.ts';
import './frame.css';

/** Who speaks: the organization by its mark and name, where it has a mark; else the service. */
function FrameName() {
  const organization = useBrandedOrganization();
  const mark = organization?.brand?.mark ?? null;
  return (
    <div className="frame-name">
      {mark === null ? <Logo /> : <Mark hash={mark} />}
      <span>{mark === null ? 'Chartgate' : organization?.name}</span>
    </div>
  );
}

/** The frame around every screen. */
export function Frame({ children }: { children: ReactNode }) {
  const { language, words, chooseLanguage } = useLanguage();
  const other = language === 'en' ? 'es' : 'en';
  return (
    <div className="frame">
      <header className="frame-head">
        <FrameName />
        <Button variant="quiet" onPress={() => chooseLanguage(other)}>
          <span lang={other}>{words.common.otherLanguage}</span>
        </Button>
      </header>
      <main className="frame-sheet">{children}</main>
      <footer className="frame-foot">{words.common.footer}</footer>
    </div>
  );
}
