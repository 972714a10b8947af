import type { AuditEvent, listAuditEvents } from '../../../../contract/organization/audit-events.ts';
import { usePermission } from '../api/use-console.ts';
import { Badge } from '../kit/badge.tsx';
import { BeforeLook } from '../kit/before-look.tsx';
import { Id } from '../kit/copy-button.tsx';
import { Page } from '../kit/page.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { useProjectId } from '../kit/use-search.ts';
import { splitValues } from '../list/choices-filter.tsx';
import { Filters, useFilters, type Filter } from '../list/filters.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { List } from '../list/list.tsx';
import { useList } from '../list/use-list.ts';
import { AuditExport } from './audit-export.tsx';
import { useTimeRange } from '../kit/use-time-range.ts';
import { useAuditWords } from './use-audit-words.ts';
import { Verification } from './verification.tsx';
import type { AuditWords } from './words/en.ts';
import './audit.css';

const FILTERS = [
  'action',
  'actorKind',
  'actorId',
  'outcome',
  'patientId',
  'client',
  'since',
  'until',
] as const;

/** The audit log: whether it is as it was written, its entries in sentences, and an export with proofs. */
export function Audit() {
  const words = useAuditWords();
  const { patientId, actorKind = 'patient', actorId } = useFilters(FILTERS).values;
  const isOfPatient = splitValues(actorKind).includes('patient');
  const subject = patientId ?? (isOfPatient ? actorId : undefined) ?? null;
  return (
    <Page name="audit" title={words.title} lead={words.lead}>
      <Verification />
      <Filters filters={buildFilters(words)} />
      <BeforeLook subject={subject} text={words.seenByPatient} show={words.show}>
        <Entries isOfOne={subject !== null} />
      </BeforeLook>
    </Page>
  );
}

function Entries({ isOfOne }: { isOfOne: boolean }) {
  const words = useAuditWords();
  const { values, filterNames } = useFilters(FILTERS);
  const projectId = useProjectId();
  const mayOpen = usePermission('patients.read');
  const { since, until, ...rest } = values;
  const range = useTimeRange({ since, until });
  const filter = {
    ...rest,
    ...range,
    ...(projectId !== null && { projectId }),
  };
  const list = useList<typeof listAuditEvents>('GET /v1/organizations/{orgId}/audit-events', {
    request: { query: filter },
    paging: 'before',
    filterNames,
    getKey: ({ id }) => id,
    // Each look at one patient's entries is an entry of their log: none is made by itself.
    isLive: !isOfOne,
    refetchOnReturn: false,
  });
  return (
    <>
      <List
        list={list}
        caption={words.list}
        columns={buildColumns(words, mayOpen)}
        empty={{ text: words.empty }}
      />
      <AuditExport filter={filter} />
    </>
  );
}

function buildFilters(words: AuditWords): Filter[] {
  const toOptions = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  const actions = Object.fromEntries(
    Object.entries(words.actions).map(([action, describe]) => [action, describe('…')]),
  );
  const { filters } = words;
  return [
    { kind: 'choices', name: 'action', label: filters.action, options: toOptions(actions) },
    { kind: 'choices', name: 'actorKind', label: filters.actorKind, options: toOptions(words.actors) },
    { kind: 'text', name: 'actorId', label: filters.actorId },
    { kind: 'choices', name: 'outcome', label: filters.outcome, options: toOptions(words.outcomes) },
    { kind: 'patient', name: 'patientId', label: filters.patientId },
    { kind: 'text', name: 'client', label: filters.client },
    { kind: 'since', name: 'since', label: filters.since },
    { kind: 'day', name: 'until', label: filters.until },
  ];
}

/** Who did what, in one sentence. */
export function describeEvent({ action, actor, target }: AuditEvent, words: AuditWords): string {
  const actors: Readonly<Record<string, string>> = words.actors;
  const who = actor.name ?? actors[actor.kind] ?? actor.kind;
  return words.actions[action]?.(who, target?.name) ?? `${who}: ${action}`;
}

const OUTCOME_KINDS = { success: 'good', refused: 'warning', failed: 'danger' } as const;

const buildColumns = (words: AuditWords, mayOpen: boolean): ListColumn<AuditEvent>[] => [
  {
    name: 'what',
    header: words.columns.what,
    render: (event) => describeEvent(event, words),
  },
  {
    name: 'outcome',
    header: words.columns.outcome,
    render: ({ outcome }) => <Badge kind={OUTCOME_KINDS[outcome]}>{words.outcomes[outcome]}</Badge>,
  },
  {
    name: 'at',
    header: words.columns.when,
    render: ({ at }) => <RelativeTime time={at} />,
  },
  {
    name: 'patientId',
    header: words.columns.about,
    wideOnly: true,
    render: ({ patientId }) =>
      patientId && (
        <Id id={patientId} subject={words.columns.about} to={mayOpen ? `/patients/${patientId}` : null} />
      ),
  },
  {
    name: 'entry',
    header: words.columns.entry,
    wideOnly: true,
    render: (event) => (
      <details className="audit-raw">
        <summary>{words.columns.raw}</summary>
        <pre>{JSON.stringify(event, null, 2)}</pre>
      </details>
    ),
  },
];
