import type { z } from 'zod';
import type {
  DeliveryAttempt,
  getDelivery,
  redeliver,
} from '../../../../contract/webhooks/webhook-deliveries.ts';
import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { Notice } from '../../../kit/notice.tsx';
import { useTask } from '../../../kit/task.ts';
import { useConsole, usePermission } from '../api/use-console.ts';
import { useData, useRefresh } from '../api/use-data.ts';
import { useProjects } from '../frame/project-switcher.tsx';
import { AsCurl } from '../kit/as-curl.tsx';
import { Badge } from '../kit/badge.tsx';
import { useCurl } from '../kit/build-curl.ts';
import { Id } from '../kit/copy-button.tsx';
import { Code } from '../kit/code.tsx';
import { formatExactTime } from '../kit/format-time.ts';
import { Page, Section } from '../kit/page.tsx';
import { PageLink, usePathParameter } from '../kit/page-link.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { ExactTime, RelativeTime } from '../kit/relative-time.tsx';
import { States } from '../kit/states.tsx';
import { useTimeZone } from '../kit/time-zone.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useLanguage } from '../words/use-words.ts';
import { groupAttempts } from './attempt-rounds.ts';
import { AttemptScale } from './attempt-drawing.tsx';
import { DeliveryState } from './deliveries.tsx';
import { useWebhook } from './use-webhook.ts';
import { useWebhookWords } from './use-webhook-words.ts';
import './webhooks.css';

type DeliveryData = z.infer<(typeof getDelivery)['response']>;
const TARGET = 'GET /v1/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}';

/** One delivery: every attempt, what was wrong, and what to do. It follows what happens while somebody looks. */
export function Delivery() {
  const { delivery: words } = useWebhookWords();
  const params = { webhookId: usePathParameter('webhookId'), deliveryId: usePathParameter('deliveryId') };
  const curl = useCurl();
  const query = useData<typeof getDelivery>(TARGET, { params }, { pollMs: 5000 });
  return (
    <Page
      name="delivery"
      title={query.data?.type ?? words.log}
      lead={
        <span className="webhook-id">
          <Id id={params.deliveryId} subject={words.log} />
        </span>
      }
      above={
        <PageLink to={`/webhooks/${params.webhookId}`} search={{ tab: 'deliveries' }}>
          {words.back}
        </PageLink>
      }
      actions={<AsCurl command={curl<typeof getDelivery>(TARGET, { params })} />}
    >
      <States query={query}>{(delivery) => <DeliveryParts delivery={delivery} />}</States>
    </Page>
  );
}

function DeliveryParts({ delivery }: { delivery: DeliveryData }) {
  const { delivery: words, deliveries } = useWebhookWords();
  const [newest] = delivery.attemptLog;
  return (
    <div className="page">
      <Section title={deliveries.status} actions={<Redeliver delivery={delivery} />}>
        <dl className="facts">
          <dt>{deliveries.status}</dt>
          <dd>
            <DeliveryState status={delivery.status} />{' '}
            {delivery.reason && <span className="soft">{deliveries.reasons[delivery.reason]}</span>}
          </dd>
          <dt>{deliveries.happened}</dt>
          <dd>
            <RelativeTime time={delivery.timestamp} />
          </dd>
          <Origin delivery={delivery} />
          {delivery.nextAttemptAt && <dt>{deliveries.next}</dt>}
          {delivery.nextAttemptAt && (
            <dd>
              <RelativeTime time={delivery.nextAttemptAt} />
            </dd>
          )}
        </dl>
        {newest?.fault && delivery.status !== 'delivered' && (
          <Notice kind="warning">
            <strong>{words.whatToDo}:</strong> {words.faults[newest.fault].fix}
          </Notice>
        )}
        <AttemptScale delivery={delivery} />
      </Section>
      <Section title={words.log}>
        {delivery.attemptLog.length === 0 ? (
          <p className="soft">{words.none}</p>
        ) : (
          <Rounds log={delivery.attemptLog} />
        )}
      </Section>
      <Request delivery={delivery} />
    </div>
  );
}

/** Which project and which patient the event is of. */
function Origin({ delivery: { projectId, patientId } }: { delivery: DeliveryData }) {
  const { deliveries } = useWebhookWords();
  const mayOpen = usePermission('patients.read');
  const project = useProjects().find(({ id }) => id === projectId);
  return (
    <>
      {project && <dt>{deliveries.project}</dt>}
      {project && (
        <dd>
          <PageLink to={`/projects/${projectId}`}>{project.name}</PageLink>
        </dd>
      )}
      {patientId && <dt>{deliveries.patient}</dt>}
      {patientId && (
        <dd>
          <Id id={patientId} subject={deliveries.patient} to={mayOpen ? `/patients/${patientId}` : null} />
        </dd>
      )}
    </>
  );
}

function Redeliver({ delivery }: { delivery: DeliveryData }) {
  const { delivery: words } = useWebhookWords();
  const { call } = useConsole();
  const { busy, refusal, run } = useTask();
  const refresh = useRefresh();
  const toast = useToast();
  const canManage = usePermission('webhooks.manage');
  const send = () =>
    run(async () => {
      const params = { webhookId: delivery.webhookId, deliveryId: delivery.id };
      await call<typeof redeliver>(
        'POST /v1/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
        { params },
      );
      toast(words.redelivered);
      await refresh(TARGET);
    });
  const webhook = useWebhook(delivery.webhookId).data;
  if (!canManage) return null;
  if (webhook !== undefined && webhook.status !== 'active')
    return (
      <p className="soft small">
        <PageLink to={`/webhooks/${webhook.id}`} search={{ tab: 'settings' }}>
          {words.notActive}
        </PageLink>
      </p>
    );
  return (
    <>
      <Button busy={busy} onPress={send}>
        {words.redeliver}
      </Button>
      {refusal && <RefusalNotice refusal={refusal} texts={{ webhook_not_active: words.notActive }} />}
    </>
  );
}

/** Attempts are counted from one each time that it is sent: with which of these they belong stands above them. */
function Rounds({ log }: { log: readonly DeliveryAttempt[] }) {
  const { delivery: words } = useWebhookWords();
  const rounds = groupAttempts(log);
  return rounds.map((attempts, index) => {
    const first = attempts.at(-1)?.attemptedAt ?? '';
    return (
      <div key={first} className="stack">
        {rounds.length > 1 && (
          <h3>
            {index === rounds.length - 1 ? words.sentFirst : words.sentAgain} <ExactTime time={first} />
          </h3>
        )}
        <ol className="attempts">
          {attempts.map((attempt) => (
            <Attempt key={attempt.attemptedAt} attempt={attempt} />
          ))}
        </ol>
      </div>
    );
  });
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const { delivery: words, setup } = useWebhookWords();
  const { language } = useLanguage();
  const { timeZone } = useTimeZone();
  const { fault, response } = attempt;
  // Each stands by itself for whoever hears the page: attempts that were sent again have the same number.
  const time = formatExactTime(attempt.attemptedAt, language, timeZone);
  return (
    <li className="attempt">
      <div className="attempt-head">
        <strong>{words.attempt(String(attempt.deliveryAttempt))}</strong>
        {fault === null ? (
          <Badge kind="good">{words.delivered}</Badge>
        ) : (
          <Badge kind="danger">{words.faults[fault].what}</Badge>
        )}
        <RelativeTime time={attempt.attemptedAt} />
        <span>{words.took(formatNumber(attempt.durationMs, language))}</span>
        {response && <span>{setup.answered(String(response.status))}</span>}
      </div>
      <p className="small soft webhook-url">{attempt.url}</p>
      {fault !== null && <p>{words.faults[fault].fix}</p>}
      {response && response.body !== '' && <Code label={`${words.answer}, ${time}`} text={response.body} />}
      {response?.truncated && <p className="small soft">{words.cut}</p>}
      {response && Object.keys(response.headers).length > 0 && (
        <details>
          <summary className="small">{words.headers}</summary>
          <Code label={`${words.headers}, ${time}`} text={formatHeaders(response.headers)} />
        </details>
      )}
    </li>
  );
}

const formatHeaders = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** The envelope is ours and holds ids, no content of a record. */
function Request({ delivery: { request, attemptLog } }: { delivery: DeliveryData }) {
  const { delivery: words } = useWebhookWords();
  const seconds = Math.floor(Date.parse(attemptLog[0]?.attemptedAt ?? '') / 1000);
  const time = Number.isNaN(seconds) ? '…' : String(seconds);
  return (
    <Section title={words.request}>
      <Code
        label={words.request}
        text={`POST ${request.url}\n${formatHeaders(request.headers)}\n\n${request.body}`}
      />
      <h3>{words.verify}</h3>
      <p>{words.verifyLead}</p>
      <Code label={words.verify} text={`${request.headers['webhook-id'] ?? ''}.${time}.${request.body}`} />
    </Section>
  );
}
