import { useLayoutEffect, useRef } from 'react';
import { PageLink } from './page-link.tsx';
import { useSearch } from './use-search.ts';
import './tabs.css';

interface TabsProps<Name extends string> {
  /** Names the row of tabs for screen readers. */
  label: string;
  /** The first is shown where the address names none. */
  tabs: readonly { name: Name; label: string }[];
  active: Name;
  /** The path of this page. */
  path: string;
}

/** How much of the tab before stays in sight, which says that there is one. */
const EDGE = 48;

/** Tabs are links, so each has an address (`?tab=`), and the back button leads to the one before. */
export function Tabs<Name extends string>({ label, tabs, active, path }: TabsProps<Name>) {
  const row = useRef<HTMLElement>(null);
  const at = tabs.findIndex(({ name }) => name === active);
  // On a phone the row is wider than the window: the tab that is open is one that is seen.
  useLayoutEffect(() => {
    const { current } = row;
    const open = current?.children[at];
    if (current && open instanceof HTMLElement)
      current.scrollLeft = open.offsetLeft - current.offsetLeft - EDGE;
  }, [at]);
  return (
    <nav ref={row} className="tabs" aria-label={label}>
      {tabs.map(({ name, label: text }, index) => (
        <span key={name} className={name === active ? 'tab tab-active' : 'tab'}>
          <PageLink to={path} search={{ tab: index === 0 ? undefined : name }} isCurrent={name === active}>
            {text}
          </PageLink>
        </span>
      ))}
    </nav>
  );
}

/** The tab that the address names, or the first. */
export function useTab<Name extends string>(names: readonly [Name, ...Name[]]): Name {
  const [{ tab }] = useSearch();
  return names.find((name) => name === tab) ?? names[0];
}
