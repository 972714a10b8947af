import { sql } from '../../../platform/db/sql.ts';
import { isDue } from './claims.sql.ts';

/** Counted in the index of what was not delivered, webhook by webhook: what was, or was dropped, is not read. */
export const countDeliveries = () => sql<{ status: string; deliveries: number }>`
  select s.status, coalesce(sum(n.deliveries), 0)::integer as deliveries
  from unnest(array['pending', 'retrying', 'exhausted']) s(status) left join webhook w on true
  left join lateral (
    select count(*) as deliveries from webhook_delivery d
    where d.organization_id = w.organization_id and d.webhook_id = w.webhook_id and d.state = s.status
      and d.state <> 'delivered') n on true
  group by s.status`;

/** Since when the delivery has been due that nobody took the longest; null: none is. Those of paused webhooks wait. */
export const findOldestDueDelivery = (now: Date) => sql<{ due_at: Date | null }>`
  select min(due.due_at) as due_at from webhook w cross join lateral (
    select d.due_at from webhook_delivery d
    where d.webhook_id = w.webhook_id and ${isDue(now)}
    order by d.due_at limit 1) due
  where w.status = 'active'`;
