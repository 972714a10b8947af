import assert from 'node:assert/strict';
import type { EventId, OrganizationId, ProjectId, WebhookId } from '../../contract/brands.ts';
import type { EventType } from '../../contract/webhooks/webhook-events.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createEmitter } from '../../server/surfaces/webhooks/events/create-emitter.ts';
import { call, getOrganizationToken, type HttpResponse, type TestService } from './service.ts';

/** What the organization does with its webhooks, as its administrator. */
export interface WebhookApi {
  /** Below the organization's webhooks: `''` for all of them. */
  send(path: string, request?: Parameters<typeof call>[2]): Promise<HttpResponse>;
  /** The same as a POST, with a body or none. */
  post(path: string, json?: object): Promise<HttpResponse>;
  /** Registers one; answers it with its secret. */
  createWebhook(url: string, more?: object): Promise<HttpResponse['body']>;
}

export async function createWebhookApi(
  service: TestService,
  organization = service.organization,
): Promise<WebhookApi> {
  const token = await getOrganizationToken(service, 'admin', organization);
  const all = `/v1/organizations/${organization.organizationId}/webhooks`;
  const send: WebhookApi['send'] = (path, request) => call(service, all + path, { token, ...request });
  return {
    send,
    post: (path, json) => send(path, { method: 'POST', ...(json && { json }) }),
    async createWebhook(url, more = {}) {
      const { status, body } = await send('', { json: { url, eventTypes: ['consent.withdrawn'], ...more } });
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    },
  };
}

/**
 * Emits events of a type, one each millisecond of the service's clock; nobody is woken. With `inMs` they are emitted, and due,
 * so much later: until a test moves the clock, no node takes them. Answers their ids.
 */
export async function emitEvents(
  service: TestService,
  count: number,
  {
    type = 'consent.withdrawn',
    projectId,
    delayMs = 0,
  }: { type?: EventType; projectId?: string; delayMs?: number } = {},
): Promise<EventId[]> {
  const { organizationId, projectId: defaultProjectId } = service.organization;
  const from = service.clock.now().getTime() + delayMs;
  await service.store.db.tx(async (tx) => {
    for (let n = 0; n < count; n++)
      await createEmitter(() => {})(tx, {
        organizationId,
        projectId: (projectId as ProjectId | undefined) ?? defaultProjectId,
        patientId: '0190c2a4-5a3e-7c59-b1c4-2f1d6a9be001' as never,
        type,
        occurredAt: new Date(from + n),
        data: { n },
      });
    // Else it is due soon by the clock of the store.
    if (delayMs > 0)
      await tx.query(sql`update webhook_delivery set due_at = created_at
        where organization_id = ${organizationId} and created_at >= ${new Date(from)}`);
  });
  service.clock.advance(count);
  return listLastEvents(service, organizationId, count);
}

async function listLastEvents(
  service: TestService,
  organizationId: OrganizationId,
  count: number,
): Promise<EventId[]> {
  const rows = await service.store.db.query(sql<{ event_id: EventId }>`
    select event_id from webhook_event where organization_id = ${organizationId}
    order by event_id desc limit ${count}`);
  return rows.map(({ event_id: eventId }) => eventId).reverse();
}

/** Entries of the audit log about a webhook, oldest first. */
export const listAuditEntries = (
  service: TestService,
  webhookId: WebhookId,
): Promise<{ action: string; detail: string }[]> =>
  service.store.db.query(sql<{ action: string; detail: string }>`
    select action, detail from audit_entry where detail->>'webhookId' = ${webhookId} order by entry_id`);
