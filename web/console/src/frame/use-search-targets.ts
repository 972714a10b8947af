import type { listApiKeys } from '../../../../contract/organization/api-keys.ts';
import type { listMembers } from '../../../../contract/organization/members.ts';
import type { listSources } from '../../../../contract/organization/sources.ts';
import type { listWebhooks } from '../../../../contract/webhooks/webhooks.ts';
import { useData } from '../api/use-data.ts';
import { usePermission } from '../api/use-console.ts';
import type { PageName } from '../words/en/frame.ts';
import { useWords } from '../words/use-words.ts';
import type { SearchTarget } from './find-targets.ts';
import { usePermittedPages } from './navigation.tsx';
import { useProjects } from './project-switcher.tsx';

const ALL = { query: { limit: 1000 } } as const;

/** What has a name in this organization, asked for when somebody begins to search. */
export function useSearchTargets(enabled: boolean): readonly SearchTarget[] {
  return [...usePlaces(), ...useConnections(enabled), ...usePeopleAndKeys(enabled)];
}

function useHasPage(): (page: PageName) => boolean {
  const pages = usePermittedPages();
  return (page) => pages.some(({ name }) => name === page);
}

function usePlaces(): SearchTarget[] {
  const { pages: names } = useWords();
  const pages = usePermittedPages();
  const hasPage = useHasPage();
  const projects = useProjects();
  return [
    ...pages.map(({ name, path }): SearchTarget => ({
      kind: 'page',
      label: names[name],
      to: path,
      terms: [],
    })),
    ...(hasPage('projects') ? projects : []).map(({ id, name }): SearchTarget => ({
      kind: 'project',
      label: name,
      to: `/projects/${id}`,
      terms: [id],
    })),
  ];
}

function useConnections(enabled: boolean): SearchTarget[] {
  const hasPage = useHasPage();
  const webhooks = useData<typeof listWebhooks>('GET /v1/organizations/{orgId}/webhooks', ALL, {
    enabled: enabled && hasPage('webhooks'),
  });
  const sources = useData<typeof listSources>('GET /v1/organizations/{orgId}/sources', ALL, {
    enabled: enabled && hasPage('sources'),
  });
  return [
    ...(webhooks.data?.results ?? []).map(({ id, url, description }): SearchTarget => {
      const label = description ?? url;
      return { kind: 'webhook', label, to: `/webhooks/${id}`, terms: [id, url] };
    }),
    ...(sources.data?.results ?? []).map(({ id, name, baseUrl }): SearchTarget => {
      const terms = [id, baseUrl];
      return { kind: 'source', label: name, to: `/sources/${id}`, terms };
    }),
  ];
}

function usePeopleAndKeys(enabled: boolean): SearchTarget[] {
  const members = useData<typeof listMembers>('GET /v1/organizations/{orgId}/members', ALL, {
    enabled: usePermission('members.read') && enabled,
  });
  const keys = useData<typeof listApiKeys>('GET /v1/organizations/{orgId}/api-keys', ALL, {
    enabled: usePermission('keys.read') && enabled,
  });
  return [
    ...(members.data?.results ?? []).map(({ id, name, email }): SearchTarget => ({
      kind: 'member',
      label: name,
      to: '/team',
      terms: [id, email],
    })),
    ...(keys.data?.results ?? []).map(({ id, name, apiKey }): SearchTarget => {
      const terms = [id, apiKey];
      return { kind: 'apiKey', label: name, to: '/api-keys', terms };
    }),
  ];
}
