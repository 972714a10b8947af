import type { listAccessLog, RecordRead } from '../../../../contract/organization/audit-events.ts';
import { formatList } from '../../../kit/format-list.ts';
import { formatNumber } from '../../../kit/format-number.ts';
import type { Language } from '../../../kit/languages.ts';
import { usePermission } from '../api/use-console.ts';
import { useTimeRange } from '../kit/use-time-range.ts';
import { Badge } from '../kit/badge.tsx';
import { BeforeLook } from '../kit/before-look.tsx';
import { Id } from '../kit/copy-button.tsx';
import { Page } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { useProjectId } from '../kit/use-search.ts';
import { Filters, useFilters, type Filter } from '../list/filters.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { List } from '../list/list.tsx';
import { useList } from '../list/use-list.ts';
import { useLanguage } from '../words/use-words.ts';
import { HeatMap } from './heat-map.tsx';
import { Readers } from './readers.tsx';
import { useReadsWords } from './use-reads-words.ts';
import type { ReadsWords } from './words/en.ts';

const FILTERS = [
  'action',
  'outcome',
  'reason',
  'tool',
  'client',
  'appId',
  'patientId',
  'since',
  'until',
] as const;

/** Who read what, refused reads too. Nothing of a record stands here: the kinds and the number of what was read do. */
export function Reads() {
  const words = useReadsWords();
  const { patientId } = useFilters(FILTERS).values;
  return (
    <Page name="reads" title={words.title} lead={words.lead}>
      <HeatMap />
      <Readers />
      <Filters filters={buildFilters(words)} />
      <BeforeLook subject={patientId ?? null} text={words.seenByPatient} show={words.show}>
        <ReadsList />
      </BeforeLook>
    </Page>
  );
}

function ReadsList() {
  const words = useReadsWords();
  const { language } = useLanguage();
  const { values, filterNames } = useFilters(FILTERS);
  const projectId = useProjectId();
  const { since, until, ...rest } = values;
  const range = useTimeRange({ since, until });
  const filter = { ...rest, ...range, ...(projectId !== null && { projectId }) };
  const list = useList<typeof listAccessLog>('GET /v1/organizations/{orgId}/access-log', {
    request: { query: filter },
    paging: 'before',
    filterNames,
    getKey: ({ id }) => id,
    // Each look at one patient's reads is an entry of their log: none is made by itself.
    isLive: rest.patientId === undefined,
    refetchOnReturn: false,
  });
  return (
    <List
      list={list}
      caption={words.list}
      columns={useColumns(words, language)}
      empty={{ text: words.empty }}
    />
  );
}

function buildFilters({ filters, actions, outcomes, reasons }: ReadsWords): Filter[] {
  const toOptions = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  return [
    { kind: 'patient', name: 'patientId', label: filters.patientId },
    { kind: 'choices', name: 'action', label: filters.action, options: toOptions(actions) },
    { kind: 'choices', name: 'outcome', label: filters.outcome, options: toOptions(outcomes) },
    { kind: 'choices', name: 'reason', label: filters.reason, options: toOptions(reasons) },
    { kind: 'text', name: 'tool', label: filters.tool },
    { kind: 'text', name: 'client', label: filters.client },
    { kind: 'text', name: 'appId', label: filters.appId },
    { kind: 'since', name: 'since', label: filters.since },
    { kind: 'day', name: 'until', label: filters.until },
  ];
}

const OUTCOME_KINDS = { success: 'good', refused: 'warning', failed: 'danger' } as const;

const describeRead = ({ action, tool }: RecordRead, { actions }: ReadsWords): string =>
  tool ?? (actions as Readonly<Record<string, string>>)[action] ?? action;

/** The app as it calls itself, or what a program without a name is. */
const describeReader = ({ client, actor }: RecordRead, words: ReadsWords): string =>
  client === null || actor.kind !== 'patient'
    ? words.ownProgram
    : (client.name ?? (client.id === 'direct' ? words.direct : client.id));

/** An answer without an entry of the record is no read of it. */
function describeOutcome({ outcome, entries, counted }: RecordRead, words: ReadsWords): string {
  if (outcome !== 'success' || entries !== 0) return words.outcomes[outcome];
  return counted ? words.counted : words.nothingRead;
}

function Outcome({ read, words }: { read: RecordRead; words: ReadsWords }) {
  const { action, outcome, reason } = read;
  const reasons = action === 'fhir.everything_ended' ? words.ends : words.reasons;
  return (
    // One element, or a card would put the reason below its label.
    <span>
      <Badge kind={OUTCOME_KINDS[outcome]}>{describeOutcome(read, words)}</Badge>
      {reason !== null && <span className="reads-reason">{reasons[reason] ?? reason}</span>}
    </span>
  );
}

const useColumns = (words: ReadsWords, language: Language): ListColumn<RecordRead>[] => [
  ...buildColumns(words),
  ...buildContentColumns(words, language),
  ...useLinkColumns(words),
];

/** The kinds of data that were read, never a value, and those that were asked for and not shared. */
function Kinds({ read: { categories, notShared }, words }: { read: RecordRead; words: ReadsWords }) {
  const { language } = useLanguage();
  const name = (kinds: RecordRead['categories']): string =>
    formatList(
      // One of a later service has no name here yet.
      kinds.map((kind) => (words.categories as Readonly<Record<string, string>>)[kind] ?? kind),
      language,
    );
  return (
    <span className="list-long">
      {name(categories)}
      {notShared.length > 0 && <span className="small soft"> {words.notShared(name(notShared))}</span>}
    </span>
  );
}

/** Whose record it was, and under which consent: each leads there. */
function useLinkColumns(words: ReadsWords): ListColumn<RecordRead>[] {
  const isOfOne = useFilters(FILTERS).values.patientId !== undefined;
  const mayOpenPatient = usePermission('patients.read');
  const mayOpenConsent = usePermission('evidence.read');
  const { columns } = words;
  return [
    {
      name: 'patientId',
      header: columns.patient,
      wideOnly: true,
      // The filter names whose reads these are.
      hiddenAtFirst: isOfOne,
      render: ({ patientId }) =>
        patientId && (
          <Id
            id={patientId}
            subject={columns.patient}
            to={mayOpenPatient ? `/patients/${patientId}` : null}
          />
        ),
      csv: ({ patientId }) => patientId,
    },
    {
      name: 'consent',
      header: columns.consent,
      wideOnly: true,
      render: ({ consentRecordId }) =>
        consentRecordId !== null &&
        mayOpenConsent && <PageLink to={`/consents/${consentRecordId}`}>{words.openConsent}</PageLink>,
      csv: ({ consentRecordId }) => consentRecordId,
    },
    {
      name: 'project',
      header: columns.project,
      wideOnly: true,
      hiddenAtFirst: true,
      render: ({ project }) => <span className="list-long">{project?.name ?? ''}</span>,
      csv: ({ project }) => project?.name ?? null,
    },
  ];
}

const buildColumns = (words: ReadsWords): ListColumn<RecordRead>[] => [
  {
    name: 'what',
    header: words.columns.what,
    render: (read) => <span className="reads-what">{describeRead(read, words)}</span>,
    csv: (read) => read.tool ?? read.action,
  },
  {
    name: 'outcome',
    header: words.columns.outcome,
    render: (read) => <Outcome read={read} words={words} />,
    csv: ({ outcome, reason }) => reason ?? outcome,
  },
  {
    name: 'at',
    header: words.columns.when,
    render: ({ at }) => <RelativeTime time={at} />,
    csv: ({ at }) => at,
  },
  {
    name: 'reader',
    header: words.columns.reader,
    render: (read) => <span className="list-address">{describeReader(read, words)}</span>,
    csv: (read) => describeReader(read, words),
  },
  {
    name: 'readerId',
    header: words.filters.client,
    wideOnly: true,
    hiddenAtFirst: true,
    render: ({ client, actor }) => <code className="list-address">{client?.id ?? actor.id}</code>,
    csv: ({ client, actor }) => client?.id ?? actor.id,
  },
];

/** What of a record was read, by kinds and their number. */
const buildContentColumns = (words: ReadsWords, language: Language): ListColumn<RecordRead>[] => [
  {
    name: 'kinds',
    header: words.columns.kinds,
    wideOnly: true,
    render: (read) => <Kinds read={read} words={words} />,
    csv: ({ categories }) => categories.join(' '),
  },
  {
    name: 'notShared',
    header: words.columns.notShared,
    wideOnly: true,
    hiddenAtFirst: true,
    render: ({ notShared }) => notShared.join(', '),
    csv: ({ notShared }) => notShared.join(' '),
  },
  {
    name: 'entries',
    header: words.columns.entries,
    numeric: true,
    wideOnly: true,
    render: ({ entries }) => (entries === null ? '' : formatNumber(entries, language)),
    csv: ({ entries }) => entries,
  },
];
