import type { getWebhookStats } from '../../../../contract/webhooks/webhook-stats.ts';
import { useConsole } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { getRangeStart, type StatsLength } from './stats.ts';

/** Loads the statistics of the last hours or days. */
export function useStats(webhookId: string, length: StatsLength) {
  const { timeZone } = useConsole().organization;
  const query = { from: getRangeStart(length, timeZone), bucket: length.bucket };
  return useData<typeof getWebhookStats>(
    'GET /v1/organizations/{orgId}/webhooks/{webhookId}/stats',
    { params: { webhookId }, query },
    { pollMs: 30_000, keepPrevious: true },
  );
}
