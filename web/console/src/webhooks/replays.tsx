import { useState } from 'react';
import type {
  listReplays,
  stopReplay,
  WebhookReplay,
} from '../../../../contract/webhooks/webhook-deliveries.ts';
import type { Webhook } from '../../../../contract/webhooks/webhooks.ts';
import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { useConsole } from '../api/use-console.ts';
import { useData, useRefresh } from '../api/use-data.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { Section } from '../kit/page.tsx';
import { ExactTime } from '../kit/relative-time.tsx';
import { States } from '../kit/states.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useLanguage } from '../words/use-words.ts';
import { useRefreshWebhook } from './use-refresh-webhook.ts';
import { useWebhookWords } from './use-webhook-words.ts';

export const REPLAYS_TARGET = 'GET /v1/organizations/{orgId}/webhooks/{webhookId}/replays';
const STOP_TARGET = 'POST /v1/organizations/{orgId}/webhooks/{webhookId}/replays/{replayId}/stop';

const POLL_MS = 3000;

/** What is being sent again, how far that is, and its end before time. */
export function Replays({ webhook: { id, deliveries } }: { webhook: Webhook }) {
  const { recover: words } = useWebhookWords();
  const { language } = useLanguage();
  const query = useData<typeof listReplays>(
    REPLAYS_TARGET,
    { params: { webhookId: id } },
    { pollMs: POLL_MS },
  );
  return (
    <Section title={words.progress}>
      <States query={query}>
        {({ results }) => (
          <div className="stack">
            <p className="soft">
              {words.open(formatNumber(deliveries.pending + deliveries.retrying, language))}
            </p>
            {results.length === 0 && <p className="soft">{words.noReplay}</p>}
            <ul className="stack">
              {results.map((replay) => (
                <li key={replay.id}>
                  <Replay webhookId={id} replay={replay} />
                </li>
              ))}
            </ul>
          </div>
        )}
      </States>
    </Section>
  );
}

function Replay({ webhookId, replay }: { webhookId: string; replay: WebhookReplay }) {
  const { recover: words } = useWebhookWords();
  const { language } = useLanguage();
  const { deliveries, waiting, takenBack, stoppedAt, startedAt } = replay;
  const [isAsking, setIsAsking] = useState(false);
  const kept = deliveries - takenBack;
  const number = (count: number) => formatNumber(count, language);
  return (
    <div className="stack">
      <p>
        <ExactTime time={startedAt} />: {words.sentOf(number(kept - waiting), number(deliveries))}
        {stoppedAt !== null && ` ${words.stopped(number(takenBack))}`}
      </p>
      {waiting > 0 && (
        <div className="page-actions">
          <progress
            className="replay-progress"
            max={deliveries}
            value={deliveries - waiting}
            aria-label={words.progress}
          />
          <Button onPress={() => setIsAsking(true)}>{words.stop}</Button>
        </div>
      )}
      {isAsking && <StopDialog {...{ webhookId, replay }} onClose={() => setIsAsking(false)} />}
    </div>
  );
}

interface StopDialogProps {
  webhookId: string;
  replay: WebhookReplay;
  onClose: () => void;
}

function StopDialog({ webhookId, replay, onClose }: StopDialogProps) {
  const { recover: words } = useWebhookWords();
  const { language } = useLanguage();
  const { call } = useConsole();
  const refresh = useRefresh();
  const refreshWebhook = useRefreshWebhook();
  const toast = useToast();
  return (
    <ConfirmDialog
      title={words.stopTitle}
      confirm={words.stop}
      onClose={onClose}
      onConfirm={async () => {
        const params = { webhookId, replayId: replay.id };
        const { count } = await call<typeof stopReplay>(STOP_TARGET, { params });
        toast(words.stopped(formatNumber(count, language)));
        await Promise.all([refreshWebhook(), refresh(REPLAYS_TARGET)]);
      }}
    >
      <p>{words.stopText}</p>
    </ConfirmDialog>
  );
}
