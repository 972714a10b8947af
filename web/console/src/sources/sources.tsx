import type { listSources, Source } from '../../../../contract/organization/sources.ts';
import type { SourceState } from '../../../../contract/organization/source-syncs.ts';
import { usePermission } from '../api/use-console.ts';
import { Badge } from '../kit/badge.tsx';
import { Page } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { List } from '../list/list.tsx';
import { useList } from '../list/use-list.ts';
import { PatientBar } from './patient-bar.tsx';
import { useSourceWords } from './use-source-words.ts';

/** A source with how many patients are in each state. */
export type CountedSource = Source & { patients: Record<SourceState, number> };

/** The FHIR servers that records come from, and how far each has brought them. */
export function Sources() {
  const words = useSourceWords();
  const canManage = usePermission('sources.manage');
  const columns = useColumns();
  const list = useList<typeof listSources>('GET /v1/organizations/{orgId}/sources', {
    paging: 'offset',
    getKey: ({ id }) => id,
  });
  const create = canManage && (
    <PageLink to="/sources/new" className="button button-strong">
      {words.create}
    </PageLink>
  );
  return (
    <Page name="sources" title={words.title} lead={words.lead} actions={create}>
      <List
        list={list}
        caption={words.title}
        columns={columns}
        getLink={({ id }) => `/sources/${id}`}
        empty={{ text: words.empty, action: create }}
      />
    </Page>
  );
}

function useColumns(): ListColumn<CountedSource>[] {
  const words = useSourceWords();
  const described = useDescribedColumns();
  return [
    {
      name: 'name',
      header: words.columns.name,
      render: ({ name, servesTestPatients }) => (
        <div>
          <p>{name}</p>
          {servesTestPatients && <p className="small soft">{words.testOnly}</p>}
        </div>
      ),
      csv: ({ name }) => name,
    },
    {
      name: 'status',
      header: words.columns.status,
      render: ({ status }) => <SourceStatus status={status} />,
      csv: ({ status }) => status,
    },
    {
      name: 'patients',
      header: words.columns.patients,
      render: ({ patients }) => <PatientBar patients={patients} />,
      csv: ({ patients }) => JSON.stringify(patients),
    },
    ...described,
  ];
}

/** How the server is reached, and what is asked there. */
function useDescribedColumns(): ListColumn<CountedSource>[] {
  const words = useSourceWords();
  return [
    {
      name: 'address',
      header: words.columns.address,
      wideOnly: true,
      render: ({ baseUrl }) => <span className="source-address">{baseUrl.replace(/^https:\/\//, '')}</span>,
      csv: ({ baseUrl }) => baseUrl,
    },
    {
      name: 'signIn',
      header: words.columns.signIn,
      wideOnly: true,
      render: ({ authentication }) => words.signIn[authentication.type],
      csv: ({ authentication }) => authentication.type,
    },
    {
      name: 'matching',
      header: words.columns.matching,
      wideOnly: true,
      render: ({ matching }) => words.matching[matching.by],
      csv: ({ matching }) => matching.by,
    },
  ];
}

export function SourceStatus({ status }: Pick<Source, 'status'>) {
  const words = useSourceWords();
  return <Badge kind={status === 'active' ? 'good' : 'warning'}>{words.status[status]}</Badge>;
}
