import { useState } from 'react';
import type {
  listPatients,
  ListedPatient,
  PatientState,
} from '../../../../contract/organization/patients.ts';
import { Button } from '../../../kit/button.tsx';
import { usePermission } from '../api/use-console.ts';
import { Page } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { Tabs, useTab } from '../kit/tabs.tsx';
import { useTimeRange } from '../kit/use-time-range.ts';
import { useProjectId } from '../kit/use-search.ts';
import { Filters, useFilters } from '../list/filters.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { List } from '../list/list.tsx';
import { useList } from '../list/use-list.ts';
import { EndEnrollments } from './end-enrollments.tsx';
import { PatientFunnel } from './funnel.tsx';
import { formatName, isOver, joinName, StateBadge } from './patient-name.tsx';
import { isEndable, isInvitable, toFilter, type PatientFilter } from './patient-filter.ts';
import { SendInvitations } from './send-invitations.tsx';
import { usePatientWords } from './use-patient-words.ts';
import type { PatientWords } from './words/en.ts';

/** What is about to be done with all whom the filter finds. */
type Opened = 'send' | 'end' | null;

/** Everybody who takes part in the projects that the member may see: as a list, and how far they have come. */
export function Patients() {
  const words = usePatientWords();
  const tab = useTab(['list', 'funnel']);
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const { filter } = usePatientFilter();
  return (
    <Page
      name="patients"
      title={words.title}
      lead={words.lead}
      actions={<Actions filter={tab === 'list' ? filter : null} onOpen={setOpened} />}
    >
      <Tabs
        label={words.tabs.label}
        path="/patients"
        active={tab}
        tabs={[
          { name: 'list', label: words.tabs.list },
          { name: 'funnel', label: words.tabs.funnel },
        ]}
      />
      {tab === 'list' ? <PatientList /> : <PatientFunnel />}
      {opened === 'send' && <SendInvitations filter={filter} onClose={close} />}
      {opened === 'end' && <EndEnrollments filter={filter} onClose={close} />}
    </Page>
  );
}

function usePatientFilter() {
  const { values, filterNames } = useFilters(['q', 'state', 'invitedBefore', 'sourceState']);
  const projectId = useProjectId();
  const { since: invitedBefore } = useTimeRange({ since: values.invitedBefore });
  return { filter: toFilter({ ...values, invitedBefore }, projectId), filterNames };
}

interface ActionsProps {
  /** Null where no list is filtered: then nothing is offered that would act on all of it. */
  filter: PatientFilter | null;
  onOpen: (opened: Opened) => void;
}

function Actions({ filter, onOpen }: ActionsProps) {
  const words = usePatientWords();
  if (!usePermission('patients.enroll')) return null;
  return (
    <>
      {filter && isEndable(filter) && (
        <Button variant="quiet" onPress={() => onOpen('end')}>
          {words.endAll.title}
        </Button>
      )}
      {filter && isInvitable(filter) && <Button onPress={() => onOpen('send')}>{words.sendAll}</Button>}
      <PageLink className="button button-plain" to="/patients/enroll">
        {words.enroll}
      </PageLink>
      <PageLink className="button button-strong" to="/patients/import">
        {words.import}
      </PageLink>
    </>
  );
}

function PatientList() {
  const words = usePatientWords();
  const mayEnroll = usePermission('patients.enroll');
  const { filter, filterNames } = usePatientFilter();
  const list = useList<typeof listPatients>('GET /v1/organizations/{orgId}/patients', {
    request: { query: filter },
    paging: 'after',
    filterNames,
    getKey: ({ patientId, project }) => `${patientId} ${project.id}`,
    isLive: true,
  });
  return (
    <>
      <Filters filters={buildFilters(words)} />
      <List
        list={list}
        caption={words.title}
        columns={buildColumns(words)}
        getLink={({ patientId }) => `/patients/${patientId}`}
        empty={{
          text: words.empty,
          ...(mayEnroll && { action: <PageLink to="/patients/import">{words.import}</PageLink> }),
        }}
      />
    </>
  );
}

const buildFilters = (words: PatientWords) =>
  [
    { kind: 'text', name: 'q', label: words.search, placeholder: words.searchHint },
    {
      kind: 'choices',
      name: 'state',
      label: words.state,
      options: Object.entries(words.states).map(([value, label]) => ({ value, label })),
    },
    { kind: 'before', name: 'invitedBefore', label: words.invitedBefore },
    {
      kind: 'choices',
      name: 'sourceState',
      label: words.sourceState,
      options: Object.entries(words.sourceStates).map(([value, label]) => ({ value, label })),
    },
  ] as const;

const buildColumns = (words: PatientWords): ListColumn<ListedPatient>[] => [
  buildNameColumn(words),
  ...buildOtherColumns(words.columns),
];

const buildNameColumn = ({ columns, ...words }: PatientWords): ListColumn<ListedPatient> => ({
  name: 'name',
  header: columns.name,
  render: (row) => (
    <>
      {formatName(row) ?? row.externalId ?? formatNoName(row.state, words)}
      {row.isTestPatient && <span className="soft small"> · {words.testPatient}</span>}
      {row.email !== null && !row.isTestPatient && <span className="list-sub soft small">{row.email}</span>}
    </>
  ),
  csv: (row) => joinName(row) ?? row.patientId,
});

/** Of whoever is gone no name is kept, whether the organization had enrolled them or not. */
const formatNoName = (
  state: PatientState,
  { states, byApp }: Pick<PatientWords, 'states' | 'byApp'>,
): string => (isOver(state) ? states[state] : byApp);

/** How far they have come stands first: what identifies a person besides is read when it is needed. */
const buildOtherColumns = (columns: PatientWords['columns']): ListColumn<ListedPatient>[] => [
  {
    name: 'state',
    header: columns.state,
    render: (row) => <StateBadge state={row.state} />,
    csv: (row) => row.state,
  },
  {
    name: 'since',
    header: columns.since,
    render: (row) => <RelativeTime time={row.since} />,
    csv: (row) => row.since,
  },
  {
    name: 'project',
    header: columns.project,
    render: (row) => <span className="list-long">{row.project.name}</span>,
    csv: (row) => row.project.name,
    wideOnly: true,
  },
  {
    name: 'lastReadAt',
    header: columns.lastRead,
    render: (row) => row.lastReadAt && <RelativeTime time={row.lastReadAt} />,
    csv: (row) => row.lastReadAt,
    wideOnly: true,
  },
  {
    name: 'externalId',
    header: columns.externalId,
    render: (row) => <span className="list-short">{row.externalId}</span>,
    csv: (row) => row.externalId,
    wideOnly: true,
  },
  {
    name: 'email',
    header: columns.email,
    render: (row) => <span className="list-address">{row.email}</span>,
    csv: (row) => row.email,
    wideOnly: true,
    // It stands below the name.
    hiddenAtFirst: true,
  },
];
