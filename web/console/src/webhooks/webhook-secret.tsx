import { SecretDialog } from '../kit/secret-dialog.tsx';
import { useWebhookWords } from './use-webhook-words.ts';

/** Shows a new secret, once. */
export function WebhookSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { secret: words } = useWebhookWords();
  const items = [
    { label: words.label, value: secret },
    { label: words.env, value: `WEBHOOK_SECRET=${secret}` },
  ];
  return (
    <SecretDialog title={words.title} items={items} onDone={onDone}>
      <p>{words.lead}</p>
    </SecretDialog>
  );
}
