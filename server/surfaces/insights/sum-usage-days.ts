import type { OrganizationId } from '../../../contract/brands.ts';
import { addDays, startOfDay, toDay } from '../../../contract/time-zone.ts';
import { findOrganizationsByNameOrId } from '../../identity/organizations/organizations.sql.ts';
import { getTimeZone } from '../../identity/organizations/time-zone.ts';
import { maybeOne, one, type Db, type Tx } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import * as statements from '../../platform/usage/usage-days.sql.ts';

interface SumDeps {
  db: Db;
  clock: Clock;
}

const HOUR_MS = 3_600_000;

/** Counts are in the store within seconds; whoever adds some later takes the day back (usage.ts). */
const GRACE_MS = 15 * 60_000;

/** Days that one transaction sums. */
const CHUNK_DAYS = 7;

/**
 * Sums what organizations used by the days of their zones, up to the last day that is over; anew where the zone has changed.
 * Throws `signal`'s reason between two chunks.
 */
export async function sumUsageDays({ db, clock }: SumDeps, signal: AbortSignal): Promise<void> {
  const now = Math.floor((clock.now().getTime() - GRACE_MS) / HOUR_MS) * HOUR_MS;
  for (const { organization_id } of await db.query(findOrganizationsByNameOrId(null))) {
    const zone = await getTimeZone(db, organization_id);
    const until = startOfDay(toDay(now, zone), zone);
    while (await db.tx((tx) => sumNextDays(tx, organization_id, { zone, until }))) signal.throwIfAborted();
  }
}

/** Returns whether there is more to sum. */
async function sumNextDays(
  tx: Tx,
  organizationId: OrganizationId,
  { zone, until }: { zone: string; until: Date },
): Promise<boolean> {
  await tx.query(statements.insertProgress(organizationId));
  const progress = await one(tx, statements.lockProgress(organizationId));
  const summedUntil = progress.zone === zone ? progress.summed_until : new Date(0);
  if (summedUntil >= until) return false;
  const first = await maybeOne(tx, statements.findFirstHour(organizationId, summedUntil));
  const days = first && first.hour < until ? listDays(first.hour, { zone, until }) : [];
  // Also what was summed of another zone, or taken back.
  await tx.query(statements.deleteDaysFrom(organizationId, summedUntil));
  await tx.query(statements.insertDays(organizationId, days));
  const end = days.at(-1)?.end ?? until;
  await tx.query(statements.updateSummedUntil(organizationId, { zone, summed_until: end }));
  return end < until;
}

/** Some days from that of an hour on. */
function listDays(hour: Date, { zone, until }: { zone: string; until: Date }): statements.DayToSum[] {
  const days: statements.DayToSum[] = [];
  for (let day = toDay(hour, zone); days.length < CHUNK_DAYS; day = addDays(day, 1)) {
    const begin = startOfDay(day, zone);
    if (begin >= until) break;
    days.push({ begin, end: startOfDay(addDays(day, 1), zone) });
  }
  return days;
}
