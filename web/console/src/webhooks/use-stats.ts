import type { getWebhookStats } from '../../../../contract/webhooks/webhook-stats.ts';
import { useData } from '../api/use-data.ts';
import { getRangeStart } from './stats.ts';

/** Loads the statistics of the last hours or days. */
export function useStats(
  webhookId: string,
  { lengthMs, bucket }: { lengthMs: number; bucket: 'hour' | 'day' },
) {
  const query = { from: getRangeStart(lengthMs, bucket), bucket };
  return useData<typeof getWebhookStats>(
    'GET /v1/organizations/{orgId}/webhooks/{webhookId}/stats',
    { params: { webhookId }, query },
    { pollMs: 30_000, keepPrevious: true },
  );
}
