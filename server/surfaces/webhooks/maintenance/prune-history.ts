import type { EventId, OrganizationId } from '../../../../contract/brands.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { one, type Db } from '../../../platform/db/db.ts';
import { dropEmptyMonths } from '../../../platform/db/detach-months.ts';
import { subtractMonths } from '../../../platform/db/months.ts';
import { eventIdFromTime, MIN_EVENT_ID } from '../events/event-id.ts';
import { deleteReplaysBefore } from '../log/replays.sql.ts';
import * as statements from './prune-history.sql.ts';
import { deleteDaysBefore } from './sum-days.sql.ts';
import { deleteHoursBefore } from './sum-hours.sql.ts';

interface PruneDeps {
  db: Db;
  clock: Clock;
}

/** Events that one transaction deletes, with their deliveries and attempts. */
const CHUNK_SIZE = 2000;

/**
 * Deletes events older than so many months with their deliveries and attempts, except those still to be sent. Only an operator
 * says when: what was never acknowledged has to be found and sent again as long as nobody has said that it may go.
 * Months of which nothing is left are dropped, so that their space is the disk's again. Throws `signal`'s reason between two chunks.
 */
export async function pruneWebhookHistory(
  deps: PruneDeps,
  keptMonths: number,
  signal: AbortSignal,
): Promise<void> {
  const oldest = subtractMonths(deps.clock.now(), keptMonths);
  await deps.db.query(deleteDaysBefore(oldest));
  await deps.db.query(deleteHoursBefore(oldest));
  await deps.db.query(deleteReplaysBefore(oldest));
  const before = eventIdFromTime(oldest);
  for (const { organization_id } of await deps.db.query(statements.selectOrganizationsWithEvents(before)))
    await pruneOrganization(deps.db, { organizationId: organization_id, before, signal });
  await dropEmptyMonths(deps.db, { tables: ['webhook_event', 'webhook_attempt'], before: oldest }, signal);
}

async function pruneOrganization(
  db: Db,
  {
    organizationId,
    before,
    signal,
  }: { organizationId: OrganizationId; before: EventId; signal: AbortSignal },
): Promise<void> {
  const rows = await db.query(statements.selectWebhooksWithHistory(organizationId));
  const webhookIds = rows.map((row) => row.webhook_id);
  let after = MIN_EVENT_ID;
  for (;;) {
    signal.throwIfAborted();
    const from = { organizationId, after };
    const { last } = await one(db, statements.findChunkEnd(from, { before, limit: CHUNK_SIZE }));
    if (last === null) return;
    const chunk = { ...from, last };
    await db.tx(async (tx) => {
      await tx.query(statements.deleteSettledDeliveries(chunk, webhookIds));
      await tx.query(statements.deleteAttemptsWithoutDelivery(chunk, webhookIds));
      await tx.query(statements.deleteEventsWithoutDelivery(chunk, webhookIds));
    });
    after = last;
  }
}
