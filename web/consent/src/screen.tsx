import { type ReactNode, useEffect, useRef } from 'react';
import { useAppDeps } from './app-deps.ts';
import './screen.css';

interface ScreenProps {
  /** In the journal of the decision: [a-z-], the same in every language. */
  name: string;
  title: string;
  /** Stands above the title: who asks. */
  above?: ReactNode;
  lead?: string;
  children?: ReactNode;
}

/** One screen: it takes the focus when it appears, names the window, and is noted in the journal. */
export function Screen({ name, title, above, lead, children }: ScreenProps) {
  const { interactionLog } = useAppDeps();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    interactionLog.add(name, 'shown');
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [interactionLog, name]);
  useEffect(() => {
    document.title = `${title} – Chartgate`;
  }, [title]);
  return (
    <div className="stack stack-wide" data-screen={name}>
      {above}
      <div className="stack screen-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p className="lead">{lead}</p>}
      </div>
      {children}
    </div>
  );
}
