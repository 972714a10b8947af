import type { listApiKeys } from '../../../../contract/organization/api-keys.ts';
import type { listMembers } from '../../../../contract/organization/members.ts';
import type { listSources } from '../../../../contract/organization/sources.ts';
import type { listWebhooks } from '../../../../contract/webhooks/webhooks.ts';
import type { listClients } from '../../../../contract/organization/clients.ts';
import type { findSharedUpload } from '../../../../contract/organization/shared-uploads.ts';
import type { listPatients } from '../../../../contract/organization/patients.ts';
import { useEffect, useState } from 'react';
import { formatPersonName } from '../../../../contract/account/person-name.ts';
import { useData } from '../api/use-data.ts';
import { usePermission } from '../api/use-console.ts';
import type { PageName } from '../words/en/frame.ts';
import { useWords } from '../words/use-words.ts';
import { type SearchTarget, UUID } from './find-targets.ts';
import { usePermittedPages } from './navigation.tsx';
import { useProjects } from './project-switcher.tsx';

const ALL = { query: { limit: 1000 } } as const;

/** What has a name in this organization, asked for when somebody begins to search. */
export function useSearchTargets(text: string, enabled: boolean): readonly SearchTarget[] {
  return [
    ...usePlaces(),
    ...useConnections(enabled),
    ...usePeopleAndKeys(enabled),
    ...useMany(text, enabled),
  ];
}

/** Of these there may be a hundred thousand: the service looks for them when somebody pauses. */
const MIN_LENGTH = 2;
const PAUSE_MS = 250;
const MAX_FOUND = 5;

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/** Patients by the beginning of a name, an address, a telephone number or an id, and apps by a part of their names. */
function useMany(text: string, enabled: boolean): SearchTarget[] {
  const hasPage = useHasPage();
  const { search } = useWords();
  const q = usePaused(text.trim());
  const isAsked = enabled && q.length >= MIN_LENGTH && q === text.trim();
  const request = { query: { q, limit: MAX_FOUND } };
  const patients = useData<typeof listPatients>('GET /v1/organizations/{orgId}/patients', request, {
    enabled: isAsked && hasPage('patients'),
  });
  const apps = useData<typeof listClients>('GET /v1/organizations/{orgId}/clients', request, {
    enabled: isAsked && hasPage('apps'),
  });
  // An id is no secret of a patient: whoever may see a patient's uploads may know which one it is of.
  const upload = useData<typeof findSharedUpload>(
    'GET /v1/organizations/{orgId}/uploads/{batchId}',
    { params: { batchId: q.toLowerCase() } },
    { enabled: isAsked && UUID.test(q) && hasPage('patients') },
  );
  // What the service found is found, by whatever it knows of them.
  const terms = [text];
  const found = new Map((patients.data?.results ?? []).map((each) => [each.patientId as string, each]));
  return [
    ...(upload.data === undefined
      ? []
      : [
          {
            kind: 'upload' as const,
            label: search.openUpload,
            to: `/patients/${upload.data.patientId}`,
            search: { upload: upload.data.batchId },
            terms,
          },
        ]),
    ...[...found].map(([id, { firstName, lastName, email }]): SearchTarget => {
      const label =
        formatPersonName([firstName, lastName].filter(Boolean).join(' ')) || (email ?? search.kinds.patient);
      return { kind: 'patient', label, to: `/patients/${id}`, terms };
    }),
    ...(apps.data?.results ?? []).map(({ id, name, redirectHost }): SearchTarget => ({
      kind: 'app',
      label: name ?? redirectHost ?? search.kinds.app,
      to: `/apps/${id}`,
      terms,
    })),
  ];
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
