import type { getWebhook, Webhook as WebhookData } from '../../../../contract/webhooks/webhooks.ts';
import { Notice } from '../../../kit/notice.tsx';
import { usePermission } from '../api/use-console.ts';
import { AsCurl } from '../kit/as-curl.tsx';
import { useCurl } from '../kit/build-curl.ts';
import { Page } from '../kit/page.tsx';
import { PageLink, usePathParameter } from '../kit/page-link.tsx';
import { ExactTime } from '../kit/relative-time.tsx';
import { States } from '../kit/states.tsx';
import { Tabs, useTab } from '../kit/tabs.tsx';
import { Deliveries } from './deliveries.tsx';
import { Overview } from './overview.tsx';
import { Recover } from './recover.tsx';
import { Settings } from './settings.tsx';
import { Setup } from './setup.tsx';
import { useWebhook, WEBHOOK_TARGET } from './use-webhook.ts';
import { useWebhookWords } from './use-webhook-words.ts';
import { WebhookStatus } from './webhook-status.tsx';

const TABS = ['overview', 'deliveries', 'setup', 'settings', 'recover'] as const;
type Tab = (typeof TABS)[number];

/** Tabs that change something. */
const MANAGED: readonly Tab[] = ['setup', 'settings', 'recover'];

/** One webhook. */
export function Webhook() {
  const words = useWebhookWords();
  const webhookId = usePathParameter('webhookId');
  const curl = useCurl();
  const query = useWebhook(webhookId);
  return (
    <Page
      name="webhook"
      title={query.data ? new URL(query.data.url).host : words.title}
      lead={query.data && <span className="webhook-url">{query.data.url}</span>}
      above={<PageLink to="/webhooks">{words.back}</PageLink>}
      actions={
        <>
          {query.data && <WebhookStatus webhook={query.data} />}
          <AsCurl command={curl<typeof getWebhook>(WEBHOOK_TARGET, { params: { webhookId } })} />
        </>
      }
    >
      <States query={query}>{(webhook) => <WebhookTabs webhook={webhook} />}</States>
    </Page>
  );
}

function WebhookTabs({ webhook }: { webhook: WebhookData }) {
  const { tabs } = useWebhookWords();
  const canManage = usePermission('webhooks.manage');
  const shown = TABS.filter((name) => canManage || !MANAGED.includes(name)) as unknown as [Tab, ...Tab[]];
  const active = useTab<Tab>(shown);
  return (
    <div className="page">
      <Standing webhook={webhook} />
      <Tabs
        label={tabs.label}
        tabs={shown.map((name) => ({ name, label: tabs[name] }))}
        active={active}
        path={`/webhooks/${webhook.id}`}
      />
      {active === 'overview' && <Overview webhook={webhook} />}
      {active === 'deliveries' && <Deliveries webhookId={webhook.id} />}
      {active === 'setup' && <Setup webhook={webhook} />}
      {active === 'settings' && <Settings webhook={webhook} />}
      {active === 'recover' && <Recover webhook={webhook} />}
    </div>
  );
}

/** What keeps deliveries from arriving, where something does. */
function Standing({ webhook: { id, status, failing } }: { webhook: WebhookData }) {
  const words = useWebhookWords();
  if (status !== 'active')
    return <Notice kind="warning">{status === 'paused' ? words.paused : words.suspended}</Notice>;
  if (failing === null) return null;
  return (
    <Notice kind="danger">
      <p>
        {words.failingSince} <ExactTime time={failing.since} />.
      </p>
      <p>
        <PageLink to={`/webhooks/${id}`} search={{ tab: 'deliveries', status: 'retrying,exhausted' }}>
          {words.failingWhy}
        </PageLink>{' '}
        ·{' '}
        <PageLink to={`/webhooks/${id}`} search={{ tab: 'recover' }}>
          {words.failingRecover}
        </PageLink>
      </p>
    </Notice>
  );
}
