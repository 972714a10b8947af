import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
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
  const menu = useSideMenu();
  const [areKeysShown, setKeysShown] = useState(false);
  useShortcuts({ onHelp: () => setKeysShown(true) });
  return (
    <div className={menu.isOpen ? 'shell shell-open' : 'shell'}>
      <a className="skip" href="#content">
        {nav.skip}
      </a>
      <header className="shell-head">
        <MenuButton {...menu} />
        <div className="shell-brand">
          <Logo />
          <span className="shell-organization">{organization.name}</span>
        </div>
        <SearchBox />
        <MemberMenu onHelp={() => setKeysShown(true)} />
      </header>
      {/* Its keys are those of the links within. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <nav className="shell-side" id="navigation" aria-label={nav.main} onKeyDown={menu.closeByKey}>
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

/** The menu of a narrow window: it is closed on the next page, and by Escape. */
function useSideMenu() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  /** Where it was opened. */
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const isOpen = openedAt === pathname;
  return {
    opener,
    isOpen,
    toggle: () => setOpenedAt(isOpen ? null : pathname),
    closeByKey({ key }: KeyboardEvent) {
      if (key !== 'Escape' || !isOpen) return;
      setOpenedAt(null);
      opener.current?.focus();
    },
  };
}

function MenuButton({ opener, isOpen, toggle, closeByKey }: ReturnType<typeof useSideMenu>) {
  const { nav } = useWords();
  return (
    <button
      ref={opener}
      type="button"
      className="icon-button shell-toggle"
      aria-expanded={isOpen}
      aria-controls="navigation"
      aria-label={isOpen ? nav.closeMenu : nav.menu}
      onClick={toggle}
      onKeyDown={closeByKey}
    >
      <Icon name={isOpen ? 'cross' : 'menu'} />
    </button>
  );
}
