import type { DeliveryStatus } from '../../../../contract/webhooks/webhook-deliveries.ts';
import { raw, sql, type Sql } from '../../../platform/db/sql.ts';

/** Of deliveries `d`. Written out, not bound: the planner is to know which index holds them, and how many they are. */
export const hasState = (status: DeliveryStatus | undefined): Sql =>
  status === undefined ? sql`true` : sql`d.state = ${raw(`'${status}'`)}`;
