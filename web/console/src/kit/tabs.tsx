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

/** Tabs are links, so each has an address (`?tab=`), and the back button leads to the one before. */
export function Tabs<Name extends string>({ label, tabs, active, path }: TabsProps<Name>) {
  return (
    <nav className="tabs" aria-label={label}>
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
