import type { OrganizationId } from '../../../../contract/brands.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import { rollUp } from '../../../platform/db/roll-up.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { eventIdFromTime, timeFromEventId } from '../events/event-id.ts';
import * as statements from './sum-hours.sql.ts';

interface SumDeps {
  db: Db;
  clock: Clock;
}

const HOUR_MS = 3_600_000;

/** Results are written within seconds of their attempt: after so long nothing more comes of an hour. */
const GRACE_MS = 15 * 60_000;

/** Hours that one transaction sums. */
const CHUNK_HOURS = 6;

/** Sums what webhooks did by the hour, up to the last hour that is over. Throws `signal`'s reason between two chunks. */
export async function sumWebhookHours({ db, clock }: SumDeps, signal: AbortSignal): Promise<void> {
  const until = floorToHour(clock.now().getTime() - GRACE_MS);
  for (const { organization_id } of await db.query(statements.selectOrganizationsWithWebhooks())) {
    const oldest = await maybeOne(db, statements.findOldestEvent(organization_id));
    const start = oldest === null ? until : Math.min(floorToHour(timeFromEventId(oldest.event_id)), until);
    const hours = {
      insertProgress: statements.insertProgress(organization_id, new Date(start)),
      lockProgress: statements.lockProgress(organization_id),
      sumNext: (tx: Tx, progress: statements.HourProgress) =>
        sumNextHours(tx, organization_id, { progress, until }),
    };
    await rollUp(db, hours, signal);
  }
}

/** Returns whether there is more to sum. */
async function sumNextHours(
  tx: Tx,
  organizationId: OrganizationId,
  { progress, until }: { progress: statements.HourProgress; until: number },
): Promise<boolean> {
  const from = progress.summed_until.getTime();
  const to = Math.min(from + CHUNK_HOURS * HOUR_MS, until);
  if (to <= from) return false;
  await tx.query(statements.insertHours(organizationId, listHours(from, to)));
  await tx.query(statements.updateSummedUntil(organizationId, new Date(to)));
  return to < until;
}

function listHours(from: number, to: number): statements.Hours {
  const hours = Array.from(
    { length: (to - from) / HOUR_MS },
    (_hour, index) => new Date(from + index * HOUR_MS),
  );
  return {
    hours,
    firstIds: hours.map(eventIdFromTime),
    nextIds: hours.map((hour) => eventIdFromTime(new Date(hour.getTime() + HOUR_MS))),
    from: new Date(from),
    to: new Date(to),
  };
}

const floorToHour = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;
