import type { OrganizationId } from '../../../contract/brands.ts';
import { addDays, startOfDay, toDay } from '../../../contract/time-zone.ts';
import { maybeOne, type Db, type Tx } from './db.ts';
import { rollUp } from './roll-up.ts';
import type { Sql } from './sql.ts';

export interface DayProgress {
  /** The zone that the sums are days of. */
  zone: string;
  /** The beginning of a day; hours before it are in the sums, those from it on are not. */
  summed_until: Date;
}

export interface DayToSum {
  begin: Date;
  /** When the next one begins. */
  end: Date;
}

/** Sums of hours by the days of organizations' zones: the statements of their tables. */
export interface DaySums {
  insertProgress(organizationId: OrganizationId): Sql;
  lockProgress(organizationId: OrganizationId): Sql<DayProgress>;
  updateSummedUntil(organizationId: OrganizationId, progress: DayProgress): Sql;
  /** Finds the first hour from a time on that there is something to sum of. */
  findFirstHour(organizationId: OrganizationId, from: Date): Sql<{ hour: Date }>;
  deleteDaysFrom(organizationId: OrganizationId, from: Date): Sql;
  /** Sums the hours that begin in the days. */
  insertDays(organizationId: OrganizationId, days: readonly DayToSum[]): Sql;
}

/** Up to when to sum, in which zone. */
interface Goal {
  zone: string;
  /** The beginning of a day. */
  until: Date;
}

/** Days that one transaction sums. */
const CHUNK_DAYS = 7;

/** Sums an organization's hours by the days of its zone; anew where the zone has changed. Throws `signal`'s reason between two chunks. */
export const rollUpDays = (
  db: Db,
  { sums, organizationId, ...goal }: Goal & { sums: DaySums; organizationId: OrganizationId },
  signal: AbortSignal,
): Promise<void> =>
  rollUp(
    db,
    {
      insertProgress: sums.insertProgress(organizationId),
      lockProgress: sums.lockProgress(organizationId),
      sumNext: (tx, progress) => sumNextDays(tx, { sums, organizationId, progress, ...goal }),
    },
    signal,
  );

async function sumNextDays(
  tx: Tx,
  {
    sums,
    organizationId,
    progress,
    zone,
    until,
  }: Goal & { sums: DaySums; organizationId: OrganizationId; progress: DayProgress },
): Promise<boolean> {
  const summedUntil = progress.zone === zone ? progress.summed_until : new Date(0);
  if (summedUntil >= until) return false;
  const first = await maybeOne(tx, sums.findFirstHour(organizationId, summedUntil));
  const days = first && first.hour < until ? listDays(first.hour, { zone, until }) : [];
  // Also what was summed of another zone, or taken back.
  await tx.query(sums.deleteDaysFrom(organizationId, summedUntil));
  await tx.query(sums.insertDays(organizationId, days));
  const end = days.at(-1)?.end ?? until;
  await tx.query(sums.updateSummedUntil(organizationId, { zone, summed_until: end }));
  return end < until;
}

/** Some days from that of an hour on. */
function listDays(hour: Date, { zone, until }: Goal): DayToSum[] {
  const days: DayToSum[] = [];
  for (let day = toDay(hour, zone); days.length < CHUNK_DAYS; day = addDays(day, 1)) {
    const begin = startOfDay(day, zone);
    if (begin >= until) break;
    days.push({ begin, end: startOfDay(addDays(day, 1), zone) });
  }
  return days;
}
