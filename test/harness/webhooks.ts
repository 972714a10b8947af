import assert from 'node:assert/strict';
import type { EventId, OrganizationId, ProjectId, WebhookId } from '../../contract/ids.ts';
import type { EventType } from '../../contract/webhook-events.ts';
import { sql } from '../../server/storage/sql.ts';
import { emitter } from '../../server/webhooks/events/emit.ts';
import { call, organizationToken, type Answer, type TestService } from './service.ts';

/** What the organization does with its webhooks, as its administrator. */
export interface WebhookCalls {
  /** Below the organization's webhooks: `''` for all of them. */
  ask(path: string, request?: Parameters<typeof call>[2]): Promise<Answer>;
  /** The same as a POST, with a body or none. */
  post(path: string, json?: object): Promise<Answer>;
  /** Registers one; answers it with its secret. */
  register(url: string, more?: object): Promise<Answer['body']>;
}

export async function webhookCalls(
  service: TestService,
  organization = service.organization,
): Promise<WebhookCalls> {
  const token = await organizationToken(service, 'admin', organization);
  const all = `/v1/organizations/${organization.organizationId}/webhooks`;
  const ask: WebhookCalls['ask'] = (path, request) => call(service, all + path, { token, ...request });
  return {
    ask,
    post: (path, json) => ask(path, { method: 'POST', ...(json && { json }) }),
    async register(url, more = {}) {
      const { status, body } = await ask('', { json: { url, eventTypes: ['consent.withdrawn'], ...more } });
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    },
  };
}

/**
 * Tells events of a type, one each millisecond of the service's clock; nobody is woken. With `inMs` they are told, and due,
 * so much later: until a test moves the clock, no node takes them. Answers their ids.
 */
export async function tell(
  service: TestService,
  count: number,
  {
    type = 'consent.withdrawn',
    projectId,
    inMs = 0,
  }: { type?: EventType; projectId?: string; inMs?: number } = {},
): Promise<EventId[]> {
  const { organizationId, projectId: ofOrganization } = service.organization;
  const from = service.clock.now().getTime() + inMs;
  await service.store.db.tx(async (tx) => {
    for (let n = 0; n < count; n++)
      await emitter(() => {})(tx, {
        organizationId,
        projectId: (projectId as ProjectId | undefined) ?? ofOrganization,
        patientId: '0190c2a4-5a3e-7c59-b1c4-2f1d6a9be001' as never,
        type,
        occurredAt: new Date(from + n),
        data: { n },
      });
  });
  service.clock.pass(count);
  return lastEvents(service, organizationId, count);
}

async function lastEvents(
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
export const auditOf = (
  service: TestService,
  webhookId: WebhookId,
): Promise<{ action: string; detail: string }[]> =>
  service.store.db.query(sql<{ action: string; detail: string }>`
    select action, detail from audit_entry where detail->>'webhookId' = ${webhookId} order by entry_id`);
