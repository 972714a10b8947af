import { startOfDay, toDay } from '../../../../contract/time-zone.ts';
import { getTimeZone } from '../../../identity/organizations/time-zone.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { rollUpDays } from '../../../platform/db/roll-up-days.ts';
import { findSummedUntil } from '../log/stats.sql.ts';
import * as sums from './sum-days.sql.ts';
import { selectOrganizationsWithWebhooks } from './sum-hours.sql.ts';

/** Sums what webhooks did by the days of their organizations' zones, as far as it is summed by the hour. */
export async function sumWebhookDays({ db }: { db: Db }, signal: AbortSignal): Promise<void> {
  for (const { organization_id: organizationId } of await db.query(selectOrganizationsWithWebhooks())) {
    const hours = await maybeOne(db, findSummedUntil({ organizationId }));
    if (hours === null) continue;
    const zone = await getTimeZone(db, organizationId);
    const until = startOfDay(toDay(hours.summed_until, zone), zone);
    await rollUpDays(db, { sums, organizationId, zone, until }, signal);
  }
}
