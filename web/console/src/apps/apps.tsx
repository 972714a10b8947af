import type { ClientApp, listClients } from '../../../../contract/organization/clients.ts';
import { formatNumber } from '../../../kit/format-number.ts';
import { Page } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { Filters, useFilters } from '../list/filters.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { List } from '../list/list.tsx';
import { useList } from '../list/use-list.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { AppName, formatAppName, formatStanding, JudgementBadge } from './app-names.tsx';
import { useAppWords } from './use-app-words.ts';

const JUDGEMENTS = ['new', 'vouched', 'blocked'] as const;

/** The apps that patients were asked by. */
export function Apps() {
  const words = useAppWords();
  const columns = useColumns();
  const { values, filterNames } = useFilters(['q', 'judgement', 'connected']);
  const list = useList<typeof listClients>('GET /v1/organizations/{orgId}/clients', {
    request: { query: values },
    paging: 'after',
    filterNames,
    getKey: ({ id }) => id,
    isLive: true,
  });
  const { pages } = useWords();
  return (
    <Page name="apps" title={words.title} lead={words.lead}>
      <Filters
        filters={[
          { kind: 'text', name: 'q', label: words.filters.q },
          {
            kind: 'choices',
            name: 'judgement',
            label: words.filters.judgement,
            options: JUDGEMENTS.map((value) => ({ value, label: words.judgements[value] })),
          },
          {
            kind: 'choice',
            name: 'connected',
            label: words.filters.connected,
            options: [
              { value: 'true', label: words.filters.someConnected },
              { value: 'false', label: words.filters.noneConnected },
            ],
          },
        ]}
      />
      <List
        list={list}
        caption={words.title}
        columns={columns}
        getLink={({ id }) => `/apps/${id}`}
        empty={{ text: words.empty, action: <PageLink to="/projects">{pages.projects}</PageLink> }}
      />
    </Page>
  );
}

/** The service counts no further. */
const MAX_COUNTED_READS = 1000;

function useColumns(): ListColumn<ClientApp>[] {
  const words = useAppWords();
  const { columns } = words;
  const use = useColumnsOfUse();
  return [
    {
      name: 'name',
      header: columns.name,
      render: (app) => <AppName app={app} />,
      csv: (app) => formatAppName(app, words),
    },
    {
      name: 'judgement',
      header: columns.judgement,
      render: (app) => <JudgementBadge judgement={app.judgement} />,
      csv: ({ judgement }) => judgement,
    },
    {
      name: 'standsOn',
      header: columns.standsOn,
      render: (app) => (
        <div className="list-long">
          <p>{formatStanding(app, words)}</p>
          {app.looksLike !== null && <p className="small soft">{words.looksLike(app.looksLike)}</p>}
        </div>
      ),
      csv: ({ documentUrl, redirectHost }) => documentUrl ?? redirectHost,
    },
    ...use,
  ];
}

/** How much an app is used: by how many patients, and how much it reads. */
function useColumnsOfUse(): ListColumn<ClientApp>[] {
  const words = useAppWords();
  const { words: frame, language } = useLanguage();
  const { common } = frame;
  const { columns } = words;
  return [
    {
      name: 'patients',
      header: columns.patients,
      render: ({ patients }) => formatNumber(patients, language),
      csv: ({ patients }) => patients,
      numeric: true,
    },
    {
      name: 'reads',
      header: columns.reads,
      render: ({ reads }) =>
        reads >= MAX_COUNTED_READS
          ? words.more(formatNumber(reads, language))
          : formatNumber(reads, language),
      csv: ({ reads }) => reads,
      numeric: true,
      wideOnly: true,
    },
    {
      name: 'lastReadAt',
      header: columns.lastRead,
      render: ({ lastReadAt }) => (lastReadAt === null ? common.never : <RelativeTime time={lastReadAt} />),
      csv: ({ lastReadAt }) => lastReadAt,
      wideOnly: true,
    },
    {
      name: 'firstSeenAt',
      header: columns.firstSeen,
      render: ({ firstSeenAt }) => <RelativeTime time={firstSeenAt} />,
      csv: ({ firstSeenAt }) => firstSeenAt,
      wideOnly: true,
    },
  ];
}
