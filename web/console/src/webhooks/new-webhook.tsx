import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { z } from 'zod';
import type { createWebhook } from '../../../../contract/webhooks/webhooks.ts';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { Page, Section } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import { useWebhookWords } from './use-webhook-words.ts';
import { WebhookForm } from './webhook-form.tsx';

type Created = z.infer<(typeof createWebhook)['response']>;

/** Registers a webhook, shows its secret once, and leads to its test. */
export function NewWebhook() {
  const words = useWebhookWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const [created, setCreated] = useState<Created | null>(null);
  return (
    <Page
      name="new-webhook"
      title={words.form.title}
      lead={words.form.lead}
      above={<PageLink to="/webhooks">{words.back}</PageLink>}
    >
      <Section title={words.settings.edit} isNarrow>
        <WebhookForm
          submit={words.form.submit}
          onSend={async (body) => {
            setCreated(await call<typeof createWebhook>('POST /v1/organizations/{orgId}/webhooks', { body }));
            await refresh('GET /v1/organizations/{orgId}/webhooks');
          }}
        />
      </Section>
      {created && (
        <WebhookSecret
          secret={created.secret}
          onDone={() => {
            // Out of the page first: it stays in the document, unseen, while the next one is loaded.
            setCreated(null);
            void navigate({ to: `/webhooks/${created.id}`, search: { tab: 'setup' } });
          }}
        />
      )}
    </Page>
  );
}
