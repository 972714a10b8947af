import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import './page.css';

interface PageProps {
  /** [a-z-], the same in every language; tests know the page by it. */
  name: string;
  title: string;
  lead?: ReactNode;
  /** Stands above the title: where the page belongs, such as a link to its list. */
  above?: ReactNode;
  /** The page's actions, beside the title. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** Takes the focus to the title when the path changes, but not when the console is opened: there it would hide the skip link. */
function useFocusOnNavigation(heading: React.RefObject<HTMLHeadingElement | null>): void {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const focusedFor = useRef<string | null>(null);
  useEffect(() => {
    if (focusedFor.current === pathname) return;
    focusedFor.current = pathname;
    if (isFirstPage) isFirstPage = false;
    else heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [pathname, heading]);
}

let isFirstPage = true;

/** A page of the console: its title names the window, and takes the focus when somebody comes to it. */
export function Page({ name, title, lead, above, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusOnNavigation(heading);
  useEffect(() => {
    document.title = `${title} – Chartgate`;
  }, [title]);
  return (
    <div className="page" data-screen={name}>
      {above}
      <div className="page-head">
        <div className="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p className="soft">{lead}</p>}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

interface SectionProps {
  title: string;
  /** An action of the section, beside its title. */
  actions?: ReactNode;
  /** No wider than a form is read well. */
  isNarrow?: boolean;
  children: ReactNode;
}

/** A part of a page, on a card of its own. */
export function Section({ title, actions, isNarrow = false, children }: SectionProps) {
  return (
    <section className={isNarrow ? 'card card-narrow' : 'card'}>
      <div className="card-head">
        <h2>{title}</h2>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
