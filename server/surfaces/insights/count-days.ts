import type { OrganizationId } from '../../../contract/brands.ts';
import { addDays, startOfDay, toDay } from '../../../contract/time-zone.ts';
import { sumChangedRecords } from '../../clinical/store/record-bytes.sql.ts';
import { findOrganizationsByNameOrId } from '../../identity/organizations/organizations.sql.ts';
import { getTimeZone } from '../../identity/organizations/time-zone.ts';
import { findFirstEntryTime } from '../../platform/audit/day-sums.sql.ts';
import { maybeOne, one, type Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import * as statements from './organization-days.sql.ts';

interface Deps {
  db: Db;
  clock: Clock;
}

/** Records that one statement sums. */
const MAX_RECORDS = 200;

/**
 * Counts the days of every organization: those since the last time, and the present one again. The log has its days from the
 * beginning; what else is stored is known of the days on which it was measured. Throws `signal`'s reason between two steps.
 */
export async function countDays({ db, clock }: Deps, signal: AbortSignal): Promise<void> {
  while ((await db.query(sumChangedRecords(MAX_RECORDS))).length > 0) signal.throwIfAborted();
  for (const { organization_id } of await db.query(findOrganizationsByNameOrId(null))) {
    for await (const day of listDaysToCount({ db, clock }, organization_id)) {
      signal.throwIfAborted();
      await countDay({ db, clock }, day);
    }
  }
}

async function* listDaysToCount(
  { db, clock }: Deps,
  organizationId: OrganizationId,
): AsyncGenerator<statements.Day & { isLast: boolean }> {
  const zone = await getTimeZone(db, organizationId);
  const today = toDay(clock.now(), zone);
  const last = (await one(db, statements.findLastDay(organizationId))).day;
  const first = last ?? (await findFirstDay(db, organizationId, zone)) ?? today;
  for (let day = first; day <= today; day = addDays(day, 1))
    yield {
      organizationId,
      day,
      from: startOfDay(day, zone),
      to: startOfDay(addDays(day, 1), zone),
      isLast: day === today,
    };
}

async function findFirstDay(db: Db, organizationId: OrganizationId, zone: string): Promise<string | null> {
  const first = await maybeOne(db, findFirstEntryTime(organizationId));
  return first && toDay(first.at, zone);
}

/** Counts a day; what is stored now is the present day's alone. */
async function countDay({ db, clock }: Deps, day: statements.Day & { isLast: boolean }): Promise<void> {
  const now = clock.now();
  await db.tx(async (tx) => {
    const stored = day.isLast
      ? [
          statements.deleteDay(day),
          statements.upsertRecordBytes(day, now),
          statements.upsertOriginalBytes(day, now),
          statements.upsertEvidenceBytes(day),
        ]
      : [];
    for (const statement of [...stored, statements.upsertActivePatients(day), statements.upsertLogBytes(day)])
      await tx.query(statement);
  });
}
