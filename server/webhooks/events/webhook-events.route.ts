import * as contract from '../../../contract/webhook-events.ts';
import type { z } from 'zod';
import { serve, type Routes } from '../../http/serve.ts';
import type { Db } from '../../storage/db.ts';
import { eventCatalogue } from './event-catalogue.ts';
import { AFTER_EVERY_EVENT_ID, eventIdAt, FIRST_EVENT_ID } from './event-id-range.ts';
import { firstPage } from '../keyset-page.ts';
import { eventsOf, type ToldEventRow } from './webhook-events.sql.ts';

/** What types of events there are, and which were told. */
export function webhookEventRoutes(routes: Routes, { db }: { db: Db }): void {
  const results = eventCatalogue();
  serve(routes, contract.listWebhookEventTypes, () => ({ results }));
  serve(routes, contract.listWebhookEvents, async ({ params: { orgId }, query }) => {
    const { since, until, after, limit, ...filter } = query;
    const page = await db.query(
      eventsOf(orgId, {
        type: filter.type,
        projectId: filter.projectId,
        since: since === undefined ? FIRST_EVENT_ID : eventIdAt(new Date(since)),
        until: until === undefined ? AFTER_EVERY_EVENT_ID : eventIdAt(new Date(until)),
        after: after ?? FIRST_EVENT_ID,
        limit: limit + 1,
      }),
    );
    const { rows, next } = firstPage(page, limit);
    return { results: rows.map(told), next };
  });
}

const told = (row: ToldEventRow): z.input<typeof contract.WebhookEvent> => ({
  id: row.event_id,
  type: row.type,
  timestamp: row.occurred_at.toISOString(),
  apiVersion: contract.EVENT_API_VERSION,
  organizationId: row.organization_id,
  projectId: row.project_id,
  data: JSON.parse(row.data) as Record<string, unknown>,
});
