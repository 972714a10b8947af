import type { z } from 'zod';
import type { OrganizationReach } from '../../../contract/audience.ts';
import {
  MAX_FIGURE_DAYS,
  type DailyFigures,
  type listDailyFigures as contract,
} from '../../../contract/organization/daily-figures.ts';
import { toFirstDay, toLastDay } from '../../../contract/day-or-instant.ts';
import { DEFAULT_RANGE_DAYS } from '../../../contract/default-range.ts';
import { addDays, startOfDay, toDay } from '../../../contract/time-zone.ts';
import { getTimeZone } from '../../identity/organizations/time-zone.ts';
import { one, type Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { invalidInput } from '../../platform/kernel/refusal.ts';
import * as statements from './organization-days.sql.ts';

interface Deps {
  db: Db;
  clock: Clock;
}

/** Returns what was counted of each day, and of today who was read until now. Throws `invalid_input` for a range that is too long. */
export async function getDailyFigures(
  { db, clock }: Deps,
  reach: OrganizationReach,
  { projectId, from: asked, to: end }: z.infer<(typeof contract)['query']>,
): Promise<z.input<(typeof contract)['response']>> {
  const zone = await getTimeZone(db, reach.organizationId);
  const today = toDay(clock.now(), zone);
  const to = end === undefined ? today : toLastDay(end, zone);
  const from = asked === undefined ? addDays(to, -DEFAULT_RANGE_DAYS) : toFirstDay(asked, zone);
  if (to < from || addDays(from, MAX_FIGURE_DAYS) <= to)
    throw invalidInput([{ path: 'to', message: 'must be after `from`, and not too long after it' }]);
  const scope = { reach, projectId, from, to };
  const span = { from: startOfDay(today, zone), to: startOfDay(addDays(today, 1), zone) };
  const hasToday = from <= today && today <= to;
  const [days, before, active] = await Promise.all([
    db.query(statements.listDays(scope)),
    one(db, statements.sumLogBefore(scope)),
    hasToday ? one(db, statements.countActivePatients(scope, span)) : null,
  ]);
  const results = listFigures({ from, to: to < today ? to : today }, days, before.value);
  const last = results.at(-1);
  if (active && last) last.activePatients = active.value;
  return { zone, results };
}

function listFigures(
  { from, to }: { from: string; to: string },
  rows: readonly statements.DayRow[],
  logBefore: number,
): DailyFigures[] {
  const values = new Map(rows.map(({ day, measure, value }) => [`${day} ${measure}`, value]));
  const results: DailyFigures[] = [];
  let logBytes = logBefore;
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const get = (measure: statements.DayMeasure): number | null => values.get(`${day} ${measure}`) ?? null;
    logBytes += get('log') ?? 0;
    // A day on which records were measured and nothing else was there has nothing else, and not an unknown amount.
    const orUnknown = (value: number | null): number | null => value ?? (get('record') === null ? null : 0);
    results.push({
      day,
      activePatients: get('active_patients') ?? 0,
      storage: {
        recordBytes: orUnknown(get('record')),
        originalBytes: orUnknown(get('original')),
        evidenceBytes: orUnknown(get('evidence')),
        logBytes,
      },
    });
  }
  return results;
}
