import type { ReactNode } from 'react';
import type { ClientGrant } from '../../../../contract/data-categories.ts';
import type { ConsentRecord } from '../../../../contract/organization/consent-records.ts';
import type { OrganizationConsent } from '../../../../contract/organization/organization-consents.ts';
import { formatPersonName } from '../../../../contract/account/person-name.ts';
import { CopyButton, Id } from '../kit/copy-button.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { formatName } from '../patients/patient-name.tsx';
import { ExactTime } from '../kit/relative-time.tsx';
import { useLanguage } from '../words/use-words.ts';
import { formatNumber } from '../../../kit/format-number.ts';
import { formatScope } from './format-scope.ts';
import { Parts } from './parts.tsx';
import { useConsentWords } from './use-consent-words.ts';
import type { Evidence } from './use-evidence.ts';

export interface Fact {
  name: string;
  header: string;
  value: ReactNode;
  /** Equal for two decisions that agree in it. */
  text: string | null;
}

const toTextFact = (name: string, header: string, text: string | null): Fact => ({
  name,
  header,
  value: text,
  text,
});

const toTimeFact = (name: string, header: string, text: string): Fact => ({
  name,
  header,
  text,
  value: <ExactTime time={text} />,
});

const toPartsFact = (header: string, parts: readonly ClientGrant[]): Fact => ({
  name: 'parts',
  header,
  text: JSON.stringify(parts),
  value: <Parts parts={parts} Time={ExactTime} />,
});

const toIdFact = (name: string, header: string, text: string): Fact => ({
  name,
  header,
  text,
  value: <Id id={text} subject={header} />,
});

/** Leads to the patient's page, which says before it is shown that the patient sees the look. */
const toPatientFact = (header: string, patientId: string, name: string): Fact => ({
  name: 'patient',
  header,
  text: patientId,
  value: (
    <>
      {name !== '' && `${name} `}
      <PageLink to={`/patients/${patientId}`}>
        <code>{patientId}</code>
      </PageLink>{' '}
      <CopyButton compact text={patientId} subject={header} />
    </>
  ),
});

/** Leads to all decisions that agree in it. */
const toFilterFact = (filter: 'version' | 'client' | 'uiHash', header: string, text: string): Fact => ({
  name: filter,
  header,
  text,
  value: (
    <PageLink to="/consents" search={{ [filter]: text }}>
      <code>{text}</code>
    </PageLink>
  ),
});

/** What a decision says of itself, in the order of the page; its kind and whose it is are `listed` where they are known. */
export function useFacts(record: ConsentRecord, listed?: OrganizationConsent): Fact[] {
  const words = useConsentWords();
  const { detail } = words;
  const { representative } = record;
  const isYes = record.consentStatus === 'OPTED_IN';
  return [
    toTextFact(
      'status',
      detail.what,
      listed ? words.decisions[listed.decision] : isYes ? words.decisions.given : words.states.opted_out,
    ),
    toTimeFact('when', detail.when, record.timestamp),
    ...(isYes ? [toTimeFact('until', detail.until, record.expirationTimestamp)] : []),
    ...(record.parts === null ? [] : [toPartsFact(detail.parts, record.parts)]),
    toPatientFact(detail.patient, record.patientId, (listed && formatName(listed.patient)) ?? ''),
    toTextFact(
      'representative',
      detail.representative,
      representative &&
        `${formatPersonName(representative.name)} (${words.authorities[representative.authority] ?? representative.authority})`,
    ),
    toTextFact('type', detail.type, words.types[record.consentType]),
    ...useAppFacts(record),
    ...usePageFacts(record),
    toIdFact('record', detail.record, record.id),
  ].filter(({ text }) => text !== null);
}

/** Of the app that asked. */
function useAppFacts({ clientId, clientName, grant }: ConsentRecord): Fact[] {
  const words = useConsentWords();
  const { language } = useLanguage();
  if (clientId === null) return [];
  return [
    toTextFact('app', words.detail.app, clientName),
    toFilterFact('client', words.filters.client, clientId),
    ...(grant === null
      ? []
      : [
          toTextFact('grant', words.detail.appGets, formatScope(grant, words, language)),
          toTimeFact('grantEnd', words.detail.appGetsUntil, grant.expirationTimestamp),
        ]),
  ];
}

/** Flows have the names of the API where the console knows no other. */
export const toFlowName = (flows: Readonly<Record<string, string>>, flow: string): string =>
  flows[flow] ?? flow;

/** What stands for the version of the page where there was none. */
const NO_PAGE = 'none';

/** Of the page it was made on. */
function usePageFacts(record: ConsentRecord): Fact[] {
  const { detail, flows, languages } = useConsentWords();
  const { language } = useLanguage();
  const isByPage = record.uiHash !== NO_PAGE;
  const seconds = formatNumber(record.consentStats.sessionLength, language);
  return [
    toTextFact(
      'language',
      detail.language,
      record.language && (languages[record.language] ?? record.language),
    ),
    toTextFact('took', detail.took, isByPage ? detail.seconds(seconds) : null),
    toTextFact('flow', detail.flow, toFlowName(flows, record.consentUIFlow)),
    ...(isByPage ? [toFilterFact('uiHash', detail.page, record.uiHash)] : []),
    toFilterFact('version', detail.words, record.studySnapshotId),
  ];
}

export function ConsentFacts({ evidence: { record, decisions } }: { evidence: Evidence }) {
  const listed = decisions.find(({ id }) => id === record.id);
  const facts = useFacts(record, listed);
  return (
    <dl className="facts-wide">
      {facts.map(({ name, header, value }) => (
        <div key={name} className="fact">
          <dt>{header}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
