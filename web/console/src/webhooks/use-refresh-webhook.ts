import { useRefresh } from '../api/use-data.ts';

/** Asks anew for what shows a webhook. */
export function useRefreshWebhook(): () => Promise<void> {
  const refresh = useRefresh();
  return () =>
    refresh('GET /v1/organizations/{orgId}/webhooks/{webhookId}', 'GET /v1/organizations/{orgId}/webhooks');
}
