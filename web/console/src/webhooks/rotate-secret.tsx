import { useState } from 'react';
import type { rotateWebhookSecret, Webhook } from '../../../../contract/webhooks/webhooks.ts';
import { Button } from '../../../kit/button.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { useConsole } from '../api/use-console.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { MAX_SECRETS } from './max-secrets.ts';
import { useRefreshWebhook } from './use-refresh-webhook.ts';
import { useWebhookWords } from './use-webhook-words.ts';
import { WebhookSecret } from './webhook-secret.tsx';

const OVERLAPS = ['0', '3600', '86400', '604800'] as const;

/** Makes a new secret; the old one goes on for as long as a deployment takes. */
export function RotateSecret({ webhook }: { webhook: Webhook }) {
  const { settings: words } = useWebhookWords();
  const { call } = useConsole();
  const refresh = useRefreshWebhook();
  const [isAsking, setIsAsking] = useState(false);
  const isFull = webhook.secrets.length >= MAX_SECRETS;
  const overlaps = OVERLAPS.filter((value) => !isFull || value === '0');
  const [chosen, setOverlap] = useState<(typeof OVERLAPS)[number]>('86400');
  const overlap = isFull ? '0' : chosen;
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = async () => {
    const answer = await call<typeof rotateWebhookSecret>(
      'POST /v1/organizations/{orgId}/webhooks/{webhookId}/rotate-secret',
      { params: { webhookId: webhook.id }, body: { overlapSeconds: Number(overlap) } },
    );
    setIsAsking(false);
    setSecret(answer.secret);
    await refresh();
  };
  return (
    <>
      <Button onPress={() => setIsAsking(true)}>{words.rotate}</Button>
      {isAsking && (
        <ConfirmDialog
          title={words.rotateTitle}
          confirm={words.rotate}
          danger={overlap === '0'}
          texts={{ too_many_secrets: words.tooManySecrets }}
          onConfirm={rotate}
          onClose={() => setIsAsking(false)}
        >
          <p>{words.rotateText}</p>
          <SelectField
            name="overlap"
            label={words.overlap}
            value={overlap}
            hint={isFull ? words.tooManySecrets : undefined}
            options={overlaps.map((value) => ({ value, label: words.overlaps[value] }))}
            onChange={setOverlap}
          />
        </ConfirmDialog>
      )}
      {secret !== null && <WebhookSecret secret={secret} onDone={() => setSecret(null)} />}
    </>
  );
}
