import { type ReactNode, useState } from 'react';
import type {
  listOrganizationConsents,
  OrganizationConsent,
} from '../../../../contract/organization/organization-consents.ts';
import { Notice } from '../../../kit/notice.tsx';
import { Table } from '../../../kit/table.tsx';
import { useData } from '../api/use-data.ts';
import { Badge } from '../kit/badge.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { Section } from '../kit/page.tsx';
import { ExactTime } from '../kit/relative-time.tsx';
import { useLanguage } from '../words/use-words.ts';
import { STATE_KINDS } from './consent-list.tsx';
import { formatScope, isConsent } from './format-scope.ts';
import { useConsentWords } from './use-consent-words.ts';
import type { Evidence } from './use-evidence.ts';

const POLL_MS = 5000;

const MAX_NEWS = 50;

/**
 * The decisions of the patient below the one that is shown, and above it that there is a newer one. The page asks for newer ones
 * than it knows: an empty answer leaves no line in the patient's log, and what was answered once is known.
 */
export function OtherDecisions({ evidence, children }: { evidence: Evidence; children: ReactNode }) {
  const { detail } = useConsentWords();
  const { record } = evidence;
  const [decisions, setDecisions] = useState(evidence.decisions);
  const newest = decisions[0]?.timestamp ?? record.timestamp;
  const since = new Date(Date.parse(newest) + 1).toISOString();
  const news = useData<typeof listOrganizationConsents>(
    'GET /v1/organizations/{orgId}/consent-records',
    { query: { patientId: record.patientId, limit: MAX_NEWS, since } },
    { pollMs: POLL_MS },
  );
  const arrived = news.data?.results ?? [];
  if (arrived[0] && !decisions.some(({ id }) => id === arrived[0]?.id))
    setDecisions([...arrived, ...decisions]);
  const newer = decisions.find(
    (each) =>
      each.timestamp > record.timestamp &&
      each.project.id === record.studyId &&
      each.consentType === record.consentType,
  );
  return (
    <>
      <div role="status">{newer && <Newer newer={newer} />}</div>
      {children}
      <Section title={detail.decisions}>
        <div className="wide-table">
          <Decisions decisions={decisions} shownId={record.id} />
        </div>
      </Section>
    </>
  );
}

function Newer({ newer }: { newer: OrganizationConsent }) {
  const { detail, decisions } = useConsentWords();
  return (
    <Notice kind="warning">
      <p>
        {detail.newer(decisions[newer.decision])} <ExactTime time={newer.timestamp} />{' '}
        <PageLink to={`/consents/${newer.id}`}>{detail.openNewer}</PageLink>
      </p>
    </Notice>
  );
}

function Decisions({ decisions, shownId }: { decisions: readonly OrganizationConsent[]; shownId: string }) {
  const words = useConsentWords();
  const { language } = useLanguage();
  const { columns, detail } = words;
  const others = decisions.filter(({ id }) => id !== shownId);
  return (
    <Table
      caption={detail.decisions}
      rows={others}
      getKey={({ id }) => id}
      empty={<p className="soft">{detail.noOther}</p>}
      columns={[
        {
          header: columns.when,
          render: ({ id, timestamp }) => (
            <PageLink to={`/consents/${id}`}>
              <ExactTime time={timestamp} />
            </PageLink>
          ),
        },
        { header: columns.decision, render: ({ decision }) => words.decisions[decision] },
        {
          header: columns.state,
          render: ({ state }) => <Badge kind={STATE_KINDS[state]}>{words.states[state]}</Badge>,
        },
        {
          header: columns.scope,
          render: (row) => (isConsent(row) ? formatScope(row, words, language) : ''),
        },
        {
          header: detail.compare,
          render: ({ id }) => (
            <PageLink to={`/consents/${shownId}`} search={{ with: id }}>
              {detail.compare}
            </PageLink>
          ),
        },
      ]}
    />
  );
}
