import { startOfDay, toDay } from '../../../contract/time-zone.ts';
import { findOrganizationsByNameOrId } from '../../identity/organizations/organizations.sql.ts';
import { getTimeZone } from '../../identity/organizations/time-zone.ts';
import type { Db } from '../../platform/db/db.ts';
import { rollUpDays } from '../../platform/db/roll-up-days.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import * as sums from '../../platform/usage/usage-days.sql.ts';

interface SumDeps {
  db: Db;
  clock: Clock;
}

const HOUR_MS = 3_600_000;

/** Counts are in the store within seconds; whoever adds some later takes the day back (usage.ts). */
const GRACE_MS = 15 * 60_000;

/**
 * Sums what organizations used by the days of their zones, up to the last day that is over; anew where the zone has changed.
 * Throws `signal`'s reason between two chunks.
 */
export async function sumUsageDays({ db, clock }: SumDeps, signal: AbortSignal): Promise<void> {
  const now = Math.floor((clock.now().getTime() - GRACE_MS) / HOUR_MS) * HOUR_MS;
  for (const { organization_id } of await db.query(findOrganizationsByNameOrId(null))) {
    const zone = await getTimeZone(db, organization_id);
    const until = startOfDay(toDay(now, zone), zone);
    await rollUpDays(db, { sums, organizationId: organization_id, zone, until }, signal);
  }
}
