import * as contract from '../../../../contract/webhooks/webhook-events.ts';
import type { z } from 'zod';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import type { Db } from '../../../platform/db/db.ts';
import { buildEventCatalogue } from './event-catalogue.ts';
import { MAX_EVENT_ID, eventIdFromTime, MIN_EVENT_ID } from './event-id.ts';
import { toKeysetPage } from './event-id.ts';
import { selectEvents, type WebhookEventRow } from './events.sql.ts';

/** Registers the catalogue of event types and the list of emitted events. */
export function registerWebhookEventRoutes(routes: Routes, { db }: { db: Db }): void {
  const results = buildEventCatalogue();
  serve(routes, contract.listWebhookEventTypes, () => ({ results }));
  serve(routes, contract.listWebhookEvents, async ({ caller, query }) => {
    const { since, until, after, limit, ...filter } = query;
    const page = await db.query(
      selectEvents(caller, {
        type: filter.type,
        projectId: filter.projectId,
        since: since === undefined ? MIN_EVENT_ID : eventIdFromTime(new Date(since)),
        until: until === undefined ? MAX_EVENT_ID : eventIdFromTime(new Date(until)),
        after: after ?? MIN_EVENT_ID,
        limit: limit + 1,
      }),
    );
    const { rows, next } = toKeysetPage(page, limit);
    return { results: rows.map(toEventDto), next };
  });
}

const toEventDto = (row: WebhookEventRow): z.input<typeof contract.WebhookEvent> => ({
  id: row.event_id,
  type: row.type,
  timestamp: row.occurred_at.toISOString(),
  apiVersion: contract.EVENT_API_VERSION,
  organizationId: row.organization_id,
  projectId: row.project_id,
  data: JSON.parse(row.data) as Record<string, unknown>,
});
