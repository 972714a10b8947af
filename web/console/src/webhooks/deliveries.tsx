import type {
  Delivery,
  DeliveryStatus,
  listDeliveries,
} from '../../../../contract/webhooks/webhook-deliveries.ts';
import { formatNumber } from '../../../kit/format-number.ts';
import { usePermission } from '../api/use-console.ts';
import { useProjects } from '../frame/project-switcher.tsx';
import { Badge } from '../kit/badge.tsx';
import { Id } from '../kit/copy-button.tsx';
import { useTimeRange } from '../kit/use-time-range.ts';
import { RelativeTime } from '../kit/relative-time.tsx';
import { useProjectId } from '../kit/use-search.ts';
import { type Filter, Filters, useFilters } from '../list/filters.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { List } from '../list/list.tsx';
import { useList } from '../list/use-list.ts';
import { useLanguage } from '../words/use-words.ts';
import { useAnswerNames } from './answer-names.ts';
import { useWebhookWords } from './use-webhook-words.ts';

/** The log of deliveries, newest event first. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const { deliveries: words } = useWebhookWords();
  const filters = useDeliveryFilters();
  const columns = useColumns();
  const { values, filterNames } = useFilters(['status', 'type', 'answer', 'patientId', 'since', 'until']);
  const { since, until, ...rest } = values;
  const range = useTimeRange({ since, until });
  const projectId = useProjectId();
  const query = {
    ...rest,
    ...range,
    ...(projectId !== null && { projectId }),
  };
  const list = useList<typeof listDeliveries>(
    'GET /v1/organizations/{orgId}/webhooks/{webhookId}/deliveries',
    {
      request: { params: { webhookId }, query },
      filterNames,
      paging: 'before',
      getKey: ({ id }) => id,
      isLive: true,
    },
  );
  return (
    <>
      <Filters filters={filters} />
      <List
        list={list}
        caption={words.caption}
        columns={columns}
        getLink={({ id }) => `/webhooks/${webhookId}/deliveries/${id}`}
        empty={{ text: words.empty }}
      />
    </>
  );
}

function useDeliveryFilters(): Filter[] {
  const { deliveries: words, types } = useWebhookWords();
  const answers = useAnswerNames();
  const toOptions = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([value, label]) => ({ value, label }));
  return [
    { kind: 'choices', name: 'status', label: words.status, options: toOptions(words.states) },
    {
      kind: 'choices',
      name: 'type',
      label: words.type,
      options: Object.keys(types).map((type) => ({ value: type, label: type })),
    },
    { kind: 'choices', name: 'answer', label: words.answer, options: toOptions(answers) },
    { kind: 'since', name: 'since', label: words.since },
    { kind: 'day', name: 'until', label: words.until },
    { kind: 'patient', name: 'patientId', label: words.patient },
  ];
}

function useColumns(): ListColumn<Delivery>[] {
  const { deliveries: words } = useWebhookWords();
  const { language } = useLanguage();
  return [
    { name: 'type', header: words.type, render: ({ type }) => type, csv: ({ type }) => type },
    {
      name: 'status',
      header: words.status,
      render: ({ status }) => <DeliveryState status={status} />,
      csv: ({ status }) => status,
    },
    {
      name: 'happened',
      header: words.happened,
      render: ({ timestamp }) => <RelativeTime time={timestamp} />,
      csv: ({ timestamp }) => timestamp,
    },
    {
      name: 'attempts',
      header: words.attempts,
      numeric: true,
      wideOnly: true,
      render: ({ attempts, formerAttempts }) => (
        <div>
          {formatNumber(attempts, language)}
          {formerAttempts > 0 && (
            <p className="soft small">{words.sentAgain(formatNumber(formerAttempts, language))}</p>
          )}
        </div>
      ),
      csv: ({ attempts, formerAttempts }) => attempts + formerAttempts,
    },
    {
      name: 'next',
      header: words.next,
      wideOnly: true,
      render: ({ nextAttemptAt }) => nextAttemptAt && <RelativeTime time={nextAttemptAt} />,
      csv: ({ nextAttemptAt }) => nextAttemptAt,
    },
    ...useOriginColumns(),
    {
      name: 'event',
      header: words.event,
      wideOnly: true,
      render: ({ id }) => <Id id={id} subject={words.event} />,
      csv: ({ id }) => id,
    },
  ];
}

/** Which project and which patient an event is of. */
function useOriginColumns(): ListColumn<Delivery>[] {
  const { deliveries: words } = useWebhookWords();
  const projects = useProjects();
  const nameProject = ({ projectId }: Delivery): string =>
    projects.find(({ id }) => id === projectId)?.name ?? '';
  const mayOpen = usePermission('patients.read');
  return [
    {
      name: 'project',
      header: words.project,
      wideOnly: true,
      render: (delivery) => <span className="list-long">{nameProject(delivery)}</span>,
      csv: nameProject,
    },
    {
      name: 'patientId',
      header: words.patient,
      wideOnly: true,
      render: ({ patientId }) =>
        patientId && (
          <Id id={patientId} subject={words.patient} to={mayOpen ? `/patients/${patientId}` : null} />
        ),
      csv: ({ patientId }) => patientId,
    },
  ];
}

const KINDS = {
  pending: 'plain',
  delivered: 'good',
  retrying: 'warning',
  exhausted: 'danger',
  dropped: 'danger',
} as const;

export function DeliveryState({ status }: { status: DeliveryStatus }) {
  const { states } = useWebhookWords().deliveries;
  return <Badge kind={KINDS[status]}>{states[status]}</Badge>;
}
