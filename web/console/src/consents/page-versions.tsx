import type {
  ConsentPageVersion,
  listConsentPageVersions,
} from '../../../../contract/organization/organization-consents.ts';
import { PageLink } from '../kit/page-link.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { useProjectId } from '../kit/use-search.ts';
import { List } from '../list/list.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { useList } from '../list/use-list.ts';
import { toFlowName } from './consent-facts.tsx';
import { CompareLink } from './consent-list.tsx';
import { PAGE_VERSIONS_TARGET, shortenHash } from './page-version.ts';
import { useConsentWords } from './use-consent-words.ts';

/** The versions of the page that decisions were made on, and two of them side by side, each as somebody saw it. */
export function PageVersions() {
  const { pageVersions } = useConsentWords();
  const projectId = useProjectId();
  const list = useList<typeof listConsentPageVersions>(PAGE_VERSIONS_TARGET, {
    request: { query: { ...(projectId !== null && { projectId }) } },
    paging: 'after',
    pageSize: 200,
    getKey: ({ uiHash }) => uiHash,
  });
  return (
    <>
      <p className="soft">{pageVersions.lead}</p>
      <List
        list={list}
        caption={pageVersions.caption}
        columns={useColumns()}
        empty={{ text: pageVersions.empty }}
        forSelected={renderCompareLink}
      />
    </>
  );
}

const renderCompareLink = (versions: readonly ConsentPageVersion[]) => (
  <CompareLink ids={versions.map(({ exampleId }) => exampleId)} />
);

function useColumns(): readonly ListColumn<ConsentPageVersion>[] {
  const { pageVersions, columns, detail, flows } = useConsentWords();
  return [
    {
      name: 'uiHash',
      header: detail.page,
      render: ({ uiHash }) => <code>{shortenHash(uiHash)}</code>,
      csv: ({ uiHash }) => uiHash,
    },
    {
      name: 'flow',
      header: columns.flow,
      render: ({ consentUIFlow }) => toFlowName(flows, consentUIFlow),
      csv: ({ consentUIFlow }) => consentUIFlow,
      wideOnly: true,
    },
    {
      name: 'firstUsedAt',
      header: pageVersions.firstUsed,
      render: ({ firstUsedAt }) => <RelativeTime time={firstUsedAt} />,
      csv: ({ firstUsedAt }) => firstUsedAt,
      wideOnly: true,
    },
    {
      name: 'lastUsedAt',
      header: pageVersions.lastUsed,
      render: ({ lastUsedAt }) => <RelativeTime time={lastUsedAt} />,
      csv: ({ lastUsedAt }) => lastUsedAt,
    },
    {
      name: 'decisions',
      header: pageVersions.decisions,
      render: ({ uiHash }) => (
        <PageLink to="/consents" search={{ uiHash }}>
          {pageVersions.show}
        </PageLink>
      ),
    },
    {
      name: 'example',
      header: pageVersions.example,
      render: ({ exampleId }) => (
        <PageLink to={`/consents/${exampleId}`}>{pageVersions.openExample}</PageLink>
      ),
      csv: ({ exampleId }) => exampleId,
    },
  ];
}
