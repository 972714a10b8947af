import { type ComponentType, lazy, type ReactNode } from 'react';
import type { Permission } from '../../../../contract/roles.ts';
import { hasPermission } from '../../../../contract/roles.ts';
import { loadPart } from '../reload-on-new-build.ts';
import { useConsole } from '../api/use-console.ts';
import { useWords } from '../words/use-words.ts';
import { NoPermission } from './no-permission.tsx';
import { Page } from './page.tsx';

export interface Routed {
  path: string;
  component: () => ReactNode;
}

/** A page below /console; `$name` in its path is read by `usePathParameter('name')`. */
export function page(
  path: string,
  permission: Permission | null,
  load: () => Promise<ComponentType>,
): Routed {
  const Component = lazy(async () => ({ default: await loadPart(load) }));
  function Permitted() {
    const { states } = useWords();
    const { member } = useConsole();
    if (permission === null || hasPermission(member.role, permission)) return <Component />;
    return (
      <Page name="no-permission" title={states.noPermissionTitle}>
        <NoPermission isPage />
      </Page>
    );
  }
  return { path, component: Permitted };
}
