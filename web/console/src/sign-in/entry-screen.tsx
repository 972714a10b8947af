import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../../kit/button.tsx';
import type { Refusal } from '../../../kit/http/refusal.ts';
import { Logo } from '../../../kit/logo.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { Skeleton } from '../kit/states.tsx';
import { useLanguage } from '../words/use-words.ts';
import './entry-screen.css';

interface EntryScreenProps {
  /** [a-z-], the same in every language; tests know the screen by it. */
  name: string;
  title: string;
  lead?: string;
  children?: ReactNode;
}

/** A screen for somebody who is not in the console yet; its title takes the focus when it replaces another. */
export function EntryScreen(props: EntryScreenProps) {
  return (
    <EntryFrame>
      <EntryContent key={props.name} {...props} />
    </EntryFrame>
  );
}

function EntryContent({ name, title, lead, children }: EntryScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    document.title = `${title} – Chartgate`;
  }, [title]);
  return (
    <div className="stack stack-wide" data-screen={name}>
      <div className="stack">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p className="soft">{lead}</p>}
      </div>
      {children}
    </div>
  );
}

function EntryFrame({ children }: { children: ReactNode }) {
  const { language, words, chooseLanguage } = useLanguage();
  const other = language === 'en' ? 'es' : 'en';
  return (
    <div className="entry">
      <header className="entry-head">
        <div className="entry-brand">
          <Logo />
          <span>Chartgate</span>
        </div>
        <Button variant="quiet" onPress={() => chooseLanguage(other)}>
          <span lang={other}>{words.common.otherLanguage}</span>
        </Button>
      </header>
      <main className="entry-sheet">{children}</main>
    </div>
  );
}

export function EntryLoading() {
  return (
    <EntryFrame>
      <Skeleton lines={4} />
    </EntryFrame>
  );
}

/** The service does not even answer who is signed in. */
export function EntryError({ refusal, onRetry }: { refusal: Refusal; onRetry: () => void }) {
  const { words } = useLanguage();
  return (
    <EntryScreen name="entry-error" title={words.states.errorTitle}>
      <RefusalNotice refusal={refusal} />
      <div>
        <Button variant="strong" onPress={onRetry}>
          {words.common.tryAgain}
        </Button>
      </div>
    </EntryScreen>
  );
}
