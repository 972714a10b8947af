import type { getWebhook } from '../../../../contract/webhooks/webhooks.ts';
import { useData } from '../api/use-data.ts';

export const WEBHOOK_TARGET = 'GET /v1/organizations/{orgId}/webhooks/{webhookId}';

export const useWebhook = (webhookId: string) =>
  useData<typeof getWebhook>(WEBHOOK_TARGET, { params: { webhookId } }, { pollMs: 30_000 });
