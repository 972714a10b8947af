import type { Webhook } from '../../../../contract/webhooks/webhooks.ts';
import { Badge } from '../kit/badge.tsx';
import { useWebhookWords } from './use-webhook-words.ts';

/** The state of a webhook in a word. */
export function WebhookStatus({
  webhook: { status, failing },
}: {
  webhook: Pick<Webhook, 'status' | 'failing'>;
}) {
  const words = useWebhookWords();
  if (status !== 'active')
    return <Badge kind={status === 'paused' ? 'warning' : 'danger'}>{words.status[status]}</Badge>;
  if (failing !== null) return <Badge kind="danger">{words.status.failing}</Badge>;
  return <Badge kind="good">{words.status.active}</Badge>;
}
