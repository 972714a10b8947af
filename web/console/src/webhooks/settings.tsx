import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  deleteWebhook,
  endFormerSecrets,
  getWebhook,
  pauseWebhook,
  resumeWebhook,
  updateWebhook,
  Webhook,
} from '../../../../contract/webhooks/webhooks.ts';
import { Button } from '../../../kit/button.tsx';
import { Table } from '../../../kit/table.tsx';
import { useTask } from '../../../kit/task.ts';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { Section } from '../kit/page.tsx';
import { pickChanged, requireUnchanged } from '../kit/pick-changed.ts';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { useToast } from '../kit/toasts.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { useRefreshWebhook } from './use-refresh-webhook.ts';
import { useWebhookWords } from './use-webhook-words.ts';
import { WebhookForm, type WebhookInput } from './webhook-form.tsx';
import { WebhookStatus } from './webhook-status.tsx';

const ITEM = '/v1/organizations/{orgId}/webhooks/{webhookId}';

/** What the form of a webhook sends where nothing was changed in it. */
const readInput = ({ url, description, eventTypes, maxPerSecond, projectScope }: Webhook): WebhookInput => ({
  url,
  description: description ?? '',
  eventTypes: eventTypes as WebhookInput['eventTypes'],
  maxPerSecond,
  projectScope,
});

/** What a webhook is, and its end. */
export function Settings({ webhook }: { webhook: Webhook }) {
  const words = useWebhookWords();
  const { call } = useConsole();
  const refresh = useRefreshWebhook();
  const toast = useToast();
  return (
    <>
      <State webhook={webhook} />
      <Section title={words.settings.edit} isNarrow>
        <WebhookForm
          submit={words.form.save}
          webhook={webhook}
          onSend={async (input) => {
            const before = readInput(webhook);
            const body = pickChanged(before, input);
            const now = await call<typeof getWebhook>(`GET ${ITEM}`, { params: { webhookId: webhook.id } });
            requireUnchanged(body, { before, now: readInput(now) });
            if (Object.keys(body).length > 0)
              await call<typeof updateWebhook>(`PATCH ${ITEM}`, { params: { webhookId: webhook.id }, body });
            toast(words.form.saved);
            await refresh();
          }}
        />
      </Section>
      <Secrets webhook={webhook} />
      <Remove webhook={webhook} />
    </>
  );
}

function State({ webhook }: { webhook: Webhook }) {
  const { settings: words } = useWebhookWords();
  const { call } = useConsole();
  const { busy, refusal, run } = useTask();
  const refresh = useRefreshWebhook();
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const params = { webhookId: webhook.id };
  const resume = () =>
    run(async () => {
      await call<typeof resumeWebhook>(`POST ${ITEM}/resume`, { params });
      toast(words.resumed);
      await refresh();
    });
  return (
    <Section title={words.state}>
      <div className="page-actions">
        <WebhookStatus webhook={webhook} />
        {webhook.status === 'active' ? (
          <Button onPress={() => setIsAsking(true)}>{words.pause}</Button>
        ) : (
          <Button variant="strong" busy={busy} onPress={resume}>
            {words.resume}
          </Button>
        )}
      </div>
      {refusal && <RefusalNotice refusal={refusal} />}
      {isAsking && (
        <ConfirmDialog
          title={words.pauseTitle}
          confirm={words.pause}
          onClose={() => setIsAsking(false)}
          onConfirm={async () => {
            await call<typeof pauseWebhook>(`POST ${ITEM}/pause`, { params });
            setIsAsking(false);
            toast(words.pausedNow);
            await refresh();
          }}
        >
          <p>{words.pauseText}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function Secrets({ webhook }: { webhook: Webhook }) {
  const { settings: words } = useWebhookWords();
  return (
    <Section title={words.secrets} actions={<RotateSecret webhook={webhook} />}>
      <p className="soft">{words.secretsLead}</p>
      <Table
        caption={words.secrets}
        columns={[
          {
            header: words.fingerprint,
            render: ({ fingerprint }) =>
              fingerprint === null ? words.secretLost : <code>{fingerprint}</code>,
          },
          { header: words.since, render: ({ createdAt }) => <RelativeTime time={createdAt} /> },
          {
            header: words.ends,
            render: ({ expiresAt }) =>
              expiresAt === null ? words.openEnd : <RelativeTime time={expiresAt} />,
          },
        ]}
        rows={webhook.secrets}
        getKey={({ createdAt }) => createdAt}
        empty={null}
      />
      {webhook.secrets.length > 1 && <EndFormerSecrets webhook={webhook} />}
    </Section>
  );
}

/** Ends the overlap of a rotation before its time. */
function EndFormerSecrets({ webhook }: { webhook: Webhook }) {
  const { settings: words } = useWebhookWords();
  const { call } = useConsole();
  const refresh = useRefreshWebhook();
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div>
      <Button onPress={() => setIsAsking(true)}>{words.endFormer}</Button>
      {isAsking && (
        <ConfirmDialog
          title={words.endFormerTitle}
          confirm={words.endFormer}
          danger
          onClose={() => setIsAsking(false)}
          onConfirm={async () => {
            await call<typeof endFormerSecrets>(`POST ${ITEM}/end-former-secrets`, {
              params: { webhookId: webhook.id },
            });
            setIsAsking(false);
            toast(words.formerEnded);
            await refresh();
          }}
        >
          <p>{words.endFormerText}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function Remove({ webhook }: { webhook: Webhook }) {
  const { settings: words } = useWebhookWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const navigate = useNavigate();
  const [isAsking, setIsAsking] = useState(false);
  const { host } = new URL(webhook.url);
  return (
    <Section title={words.remove}>
      <p>{words.removeText}</p>
      <div>
        <Button variant="danger" onPress={() => setIsAsking(true)}>
          {words.remove}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={words.removeTitle}
          confirm={words.remove}
          danger
          typed={host}
          onClose={() => setIsAsking(false)}
          onConfirm={async () => {
            await call<typeof deleteWebhook>(`DELETE ${ITEM}`, { params: { webhookId: webhook.id } });
            toast(words.removed(host));
            await navigate({ to: '/webhooks' });
            await refresh('GET /v1/organizations/{orgId}/webhooks');
          }}
        >
          <p>{words.removeText}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
