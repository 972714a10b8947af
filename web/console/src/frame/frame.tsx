import { type ReactNode, useState } from 'react';
import { useRouterState } from '@tanstack/react-router';
import { Icon } from '../../../kit/icon.tsx';
import { Logo } from '../../../kit/logo.tsx';
import { useConsole } from '../api/use-console.ts';
import { useWords } from '../words/use-words.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { MemberMenu } from './member-menu.tsx';
import { Navigation } from './navigation.tsx';
import { OfflineStrip } from './offline-strip.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import { SearchBox } from './search-box.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import './frame.css';

/** The navigation, the search and the member's menu around every page. */
export function Frame({ children }: { children: ReactNode }) {
  const { nav } = useWords();
  const { organization } = useConsole();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  /** Where the menu of a narrow window was opened: it is closed on the next page. */
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const [areKeysShown, setKeysShown] = useState(false);
  useShortcuts({ onHelp: () => setKeysShown(true) });
  const isOpen = openedAt === pathname;
  return (
    <div className={isOpen ? 'shell shell-open' : 'shell'}>
      <a className="skip" href="#content">
        {nav.skip}
      </a>
      <header className="shell-head">
        <button
          type="button"
          className="icon-button shell-toggle"
          aria-expanded={isOpen}
          aria-controls="navigation"
          aria-label={isOpen ? nav.closeMenu : nav.menu}
          onClick={() => setOpenedAt(isOpen ? null : pathname)}
        >
          <Icon name={isOpen ? 'cross' : 'menu'} />
        </button>
        <div className="shell-brand">
          <Logo />
          <span className="shell-organization">{organization.name}</span>
        </div>
        <SearchBox />
        <MemberMenu onHelp={() => setKeysShown(true)} />
      </header>
      <nav className="shell-side" id="navigation" aria-label={nav.main}>
        <ProjectSwitcher />
        <Navigation />
      </nav>
      <main className="shell-main" id="content" tabIndex={-1}>
        <OfflineStrip />
        {children}
      </main>
      {areKeysShown && <KeysDialog onClose={() => setKeysShown(false)} />}
    </div>
  );
}
