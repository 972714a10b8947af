import type { listWebhooks, Webhook } from '../../../../contract/webhooks/webhooks.ts';
import { formatNumber, formatPercent } from '../../../kit/format-number.ts';
import { usePermission } from '../api/use-console.ts';
import { Page } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { List } from '../list/list.tsx';
import { useList } from '../list/use-list.ts';
import { useLanguage } from '../words/use-words.ts';
import { DayStrip } from './day-strip.tsx';
import { DAY_MS, findAcknowledgedShare } from './stats.ts';
import { useStats } from './use-stats.ts';
import { useWebhookWords } from './use-webhook-words.ts';
import { WebhookStatus } from './webhook-status.tsx';

/** The webhooks of the organization: which of them arrive. */
export function Webhooks() {
  const words = useWebhookWords();
  const canManage = usePermission('webhooks.manage');
  const columns = useColumns();
  const list = useList<typeof listWebhooks>('GET /v1/organizations/{orgId}/webhooks', {
    paging: 'offset',
    getKey: ({ id }) => id,
  });
  const create = (
    <PageLink to="/webhooks/new" className="button button-strong">
      {words.create}
    </PageLink>
  );
  return (
    <Page name="webhooks" title={words.title} lead={words.lead} actions={canManage && create}>
      <List
        list={list}
        caption={words.title}
        columns={columns}
        getLink={({ id }) => `/webhooks/${id}`}
        empty={{ text: words.empty, action: canManage && create }}
      />
    </Page>
  );
}

function useColumns(): ListColumn<Webhook>[] {
  const { columns } = useWebhookWords();
  const { language } = useLanguage();
  const count = (name: 'exhausted' | 'dropped'): ListColumn<Webhook> => ({
    name,
    header: columns[name],
    numeric: true,
    wideOnly: true,
    render: ({ deliveries }) => formatNumber(deliveries[name], language),
    csv: ({ deliveries }) => deliveries[name],
  });
  return [
    {
      name: 'url',
      header: columns.url,
      render: ({ url, description }) => (
        <span className="webhook-url">
          {url.replace(/^https:\/\//, '')}
          {description !== '' && <span className="soft small"> {description}</span>}
        </span>
      ),
      csv: ({ url }) => url,
    },
    {
      name: 'status',
      header: columns.status,
      render: (webhook) => <WebhookStatus webhook={webhook} />,
      csv: ({ status, failing }) => (status === 'active' && failing ? 'failing' : status),
    },
    { name: 'day', header: columns.day, numeric: true, render: ({ id }) => <DayShare webhookId={id} /> },
    {
      name: 'waiting',
      header: columns.waiting,
      numeric: true,
      wideOnly: true,
      render: ({ deliveries: { pending, retrying } }) => formatNumber(pending + retrying, language),
      csv: ({ deliveries: { pending, retrying } }) => pending + retrying,
    },
    count('exhausted'),
    count('dropped'),
    {
      name: 'history',
      header: columns.history,
      wideOnly: true,
      render: ({ id }) => <DayStrip webhookId={id} />,
    },
  ];
}

function DayShare({ webhookId }: { webhookId: string }) {
  const words = useWebhookWords();
  const { language } = useLanguage();
  const { data } = useStats(webhookId, { lengthMs: DAY_MS, bucket: 'hour' });
  if (data === undefined) return null;
  const share = findAcknowledgedShare(data.deliveries);
  return share === null ? <span className="soft">{words.noDeliveries}</span> : formatPercent(share, language);
}
