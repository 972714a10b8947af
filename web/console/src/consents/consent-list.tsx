import { useQueryClient } from '@tanstack/react-query';
import type {
  listOrganizationConsents,
  OrganizationConsent,
} from '../../../../contract/organization/organization-consents.ts';
import { formatName } from '../patients/patient-name.tsx';
import { Button } from '../../../kit/button.tsx';
import { useData } from '../api/use-data.ts';
import { useProjects } from '../frame/project-switcher.tsx';
import { Badge } from '../kit/badge.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { useProjectId } from '../kit/use-search.ts';
import { Filters, useFilters } from '../list/filters.tsx';
import { List } from '../list/list.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { useList, type ListState } from '../list/use-list.ts';
import { useLanguage } from '../words/use-words.ts';
import { FILTER_NAMES, useConsentFilters, useListQuery, type ListQuery } from './consent-filters.ts';
import { toFlowName } from './consent-facts.tsx';
import { formatParts, formatScope, isConsent } from './format-scope.ts';
import { Parts } from './parts.tsx';
import { useConsentWords } from './use-consent-words.ts';

const LIST_TARGET = 'GET /v1/organizations/{orgId}/consent-records';

const POLL_MS = 5000;

/** The decisions, newest first, with every filter of the API in the address. */
export function ConsentList() {
  const words = useConsentWords();
  const projectId = useProjectId();
  const { values, filterNames } = useFilters(FILTER_NAMES);
  const query = useListQuery(values, projectId);
  const list = useList<typeof listOrganizationConsents>(LIST_TARGET, {
    request: { query },
    paging: 'after',
    filterNames,
    getKey: ({ id }) => id,
    // Each look is an entry of the log: not one for every time that somebody comes back to the tab.
    refetchOnReturn: false,
  });
  return (
    <>
      <Filters filters={useConsentFilters(values, projectId)} />
      <News list={list} query={query} />
      <List
        list={list}
        caption={words.caption}
        columns={useColumns()}
        getLink={({ id }) => `/consents/${id}`}
        empty={{ text: words.empty, action: <ConnectLink projectId={projectId} /> }}
        forSelected={renderCompareLink}
      />
    </>
  );
}

/** Two decisions side by side, whoever made them: on two versions of the page, what was seen differs as the page did. */
export function CompareLink({ ids: [first, second, ...more] }: { ids: readonly string[] }) {
  const { compareSelected } = useConsentWords();
  if (first === undefined || second === undefined || more.length > 0) return null;
  return (
    <PageLink to={`/consents/${first}`} search={{ with: second }}>
      {compareSelected}
    </PageLink>
  );
}

const renderCompareLink = (rows: readonly OrganizationConsent[]) => (
  <CompareLink ids={rows.map(({ id }) => id)} />
);

/**
 * Asks for decisions that are newer than the first row. Each look at decisions is an entry of the audit log, an empty answer is
 * none: so the page asks for what is new, and not for all of it again.
 */
function News({ list, query }: { list: ListState<OrganizationConsent>; query: ListQuery }) {
  const words = useConsentWords();
  const client = useQueryClient();
  const first = list.query.data?.results[0];
  const since = new Date(first === undefined ? 0 : Date.parse(first.timestamp) + 1).toISOString();
  const news = useData<typeof listOrganizationConsents>(
    LIST_TARGET,
    { query: { ...query, since, limit: 1 } },
    { pollMs: POLL_MS, enabled: first !== undefined && list.position === null },
  );
  const hasNews = (news.data?.results.length ?? 0) > 0;
  return (
    <div role="status">
      {hasNews && (
        <Button variant="quiet" onPress={() => void client.invalidateQueries({ queryKey: [LIST_TARGET] })}>
          {words.news}
        </Button>
      )}
    </div>
  );
}

export const STATE_KINDS = {
  in_force: 'good',
  expired: 'warning',
  opted_out: 'plain',
  replaced: 'plain',
} as const;

type Column = ListColumn<OrganizationConsent>;

const useColumns = (): readonly Column[] => [
  ...useDecisionColumns(),
  ...useOriginColumns(),
  ...useChosenColumns(),
];

/** How people come to decide, and which page and words they had: shown to whoever asks for it. */
function useChosenColumns(): readonly Column[] {
  const words = useConsentWords();
  const { columns, flows, languages, types } = words;
  const column = (name: string, header: string, read: (row: OrganizationConsent) => string): Column => ({
    name,
    header,
    render: read,
    csv: read,
    wideOnly: true,
    hiddenAtFirst: true,
  });
  return [
    column('type', columns.type, ({ consentType }) => types[consentType]),
    column('flow', columns.flow, ({ consentUIFlow }) => toFlowName(flows, consentUIFlow)),
    column('language', columns.language, ({ language }) =>
      language === null ? '' : (languages[language] ?? language),
    ),
    column('version', columns.version, ({ version }) =>
      version === null ? '' : words.version(String(version)),
    ),
    column('page', words.detail.page, ({ uiHash }) => uiHash.slice(0, 12)),
  ];
}

/** Where the address is that leads people to decide: of the chosen project, or of one. */
function ConnectLink({ projectId }: { projectId: string | null }) {
  const { emptyAction } = useConsentWords();
  const projects = useProjects();
  const id = projectId ?? projects[0]?.id;
  return id === undefined ? (
    <PageLink to="/projects">{emptyAction}</PageLink>
  ) : (
    <PageLink to={`/projects/${id}`} search={{ tab: 'connect' }}>
      {emptyAction}
    </PageLink>
  );
}

/** Who decided what, and what has become of it. */
function useDecisionColumns(): readonly Column[] {
  const words = useConsentWords();
  const { language } = useLanguage();
  const { columns } = words;
  const formatPatient = ({ patient }: OrganizationConsent): string =>
    formatName(patient) || (patient.isDeleted ? words.deleted : words.noName);
  return [
    {
      name: 'timestamp',
      header: columns.when,
      render: ({ timestamp }) => <RelativeTime time={timestamp} />,
      csv: ({ timestamp }) => timestamp,
    },
    {
      name: 'patient',
      header: columns.patient,
      render: (row) => <span className="list-name">{formatPatient(row)}</span>,
      csv: ({ patient }) => patient.id,
    },
    {
      name: 'decision',
      header: columns.decision,
      render: ({ decision }) => words.decisions[decision],
      csv: ({ decision }) => decision,
    },
    {
      name: 'state',
      header: columns.state,
      render: ({ state }) => <Badge kind={STATE_KINDS[state]}>{words.states[state]}</Badge>,
      csv: ({ state }) => state,
    },
    {
      name: 'scope',
      header: columns.scope,
      render: (row) => (isConsent(row) ? formatScope(row, words, language) : ''),
      csv: (row) => (isConsent(row) ? formatScope(row, words, language) : ''),
      wideOnly: true,
    },
  ];
}

const getEnd = (row: OrganizationConsent): string | null => (isConsent(row) ? row.expirationTimestamp : null);

/** Until when, and where it was made. */
function useOriginColumns(): readonly Column[] {
  const words = useConsentWords();
  const { language } = useLanguage();
  const { columns } = words;
  return [
    {
      name: 'until',
      header: columns.until,
      render: (row) => {
        const time = getEnd(row);
        if (row.parts !== null) return <Parts parts={row.parts} Time={RelativeTime} />;
        return time === null ? '' : <RelativeTime time={time} />;
      },
      csv: getEnd,
      wideOnly: true,
    },
    {
      name: 'parts',
      header: words.detail.parts,
      render: ({ parts }) => parts && <Parts parts={parts} Time={RelativeTime} />,
      csv: ({ parts }) => parts && formatParts(parts, words, language),
      wideOnly: true,
      hiddenAtFirst: true,
    },
    {
      name: 'app',
      header: columns.app,
      render: ({ clientName, clientId }) => clientName ?? clientId ?? '',
      csv: ({ clientId }) => clientId,
      wideOnly: true,
    },
    {
      name: 'project',
      header: columns.project,
      render: ({ project }) => <span className="list-long">{project.name}</span>,
      csv: ({ project }) => project.name,
      wideOnly: true,
    },
    {
      name: 'screenshots',
      header: columns.pictures,
      render: ({ screenshots }) => screenshots,
      csv: ({ screenshots }) => screenshots,
      numeric: true,
      wideOnly: true,
      hiddenAtFirst: true,
    },
  ];
}
