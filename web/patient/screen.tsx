import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import './screen.css';

/** Called with the name of each screen that appears. */
const ScreenContext = createContext<(screen: string) => void>(() => undefined);
export const ScreenObserver = ScreenContext.Provider;

/** Whether a screen that appears takes the focus: not within a page where somebody is writing. */
const FocusContext = createContext(true);
export const ScreenFocus = FocusContext.Provider;

interface ScreenProps {
  /** [a-z-], the same in every language; the interaction log of a decision holds it. */
  name: string;
  title: string;
  /** Shown above the title, such as who asks. */
  above?: ReactNode;
  lead?: string;
  children?: ReactNode;
}

/** One screen: it takes the focus when it appears, and names the window. */
export function Screen({ name, title, above, lead, children }: ScreenProps) {
  const onShown = useContext(ScreenContext);
  const takesFocus = useContext(FocusContext);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    onShown(name);
    if (takesFocus) heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [onShown, name, takesFocus]);
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
