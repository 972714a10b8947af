import { useRouterState } from '@tanstack/react-router';
import { hasPermission } from '../../../../contract/roles.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useConsole } from '../api/use-console.ts';
import { PageLink } from '../kit/page-link.tsx';
import { type PageEntry, PAGES } from '../pages.ts';
import { useWords } from '../words/use-words.ts';

/** The pages that the member's role may open. */
export function usePermittedPages(): readonly PageEntry[] {
  const { member } = useConsole();
  return PAGES.filter(({ permission }) => permission === null || hasPermission(member.role, permission));
}

const GROUPS = ['work', 'developers', 'settings'] as const;

export function Navigation() {
  const { nav } = useWords();
  const pages = usePermittedPages();
  return (
    <div className="nav">
      {GROUPS.map((group) => {
        const entries = pages.filter((entry) => entry.group === group);
        if (entries.length === 0) return null;
        return (
          <div key={group} className="nav-group">
            {group !== 'work' && <h2 className="nav-title">{nav.groups[group]}</h2>}
            <ul>
              {entries.map((entry) => (
                <NavigationItem key={entry.name} entry={entry} />
              ))}
              {group === 'developers' && <ApiDocs />}
            </ul>
          </div>
        );
      })}
    </div>
  );
}

/** What a program may do, which is all that the console does. */
function ApiDocs() {
  const { nav } = useWords();
  const { baseUrl } = useConsole();
  return (
    <li>
      <a className="nav-link" href={`${baseUrl}/docs/api`}>
        <Icon name="book" />
        <span>{nav.apiDocs}</span>
      </a>
    </li>
  );
}

function NavigationItem({ entry }: { entry: PageEntry }) {
  const { pages } = useWords();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const isCurrent = entry.path === '/' ? pathname === '/' : `${pathname}/`.startsWith(`${entry.path}/`);
  return (
    <li>
      <PageLink
        to={entry.path}
        className={isCurrent ? 'nav-link nav-current' : 'nav-link'}
        isCurrent={isCurrent}
      >
        <Icon name={entry.icon} />
        <span>{pages[entry.name]}</span>
      </PageLink>
    </li>
  );
}
