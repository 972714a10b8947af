import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { sql } from '../../platform/db/sql.ts';
import { AVERAGE_CODES } from '../entries/vital-signs.ts';
import { selectEntryColumns, type StoredEntry } from './clinical.sql.ts';
import { isValid } from './stated-values.sql.ts';
import { filterReadable } from './visible-entries.sql.ts';

/**
 * Finds the newest average of the blood pressure where it is newer than every reading: both pressures in one, else each by
 * itself. An average is no reading, and years of home measurements may be recorded as averages alone.
 */
export const findNewerAverages = (access: RecordAccess) => {
  const isAverage = sql`(code = any (${AVERAGE_CODES}::text[])) is true`;
  const pressures = sql`${filterReadable(access)} and vital = 'Blood Pressure' and ${isValid}`;
  return toRecordQuery(
    access,
    sql<StoredEntry<'vital'>>`
      select ${selectEntryColumns(access)} from ${pressures} and ${isAverage}
        and day > (select max(day) from ${pressures} and not ${isAverage})
      order by day desc, code = ${AVERAGE_CODES[0]} desc, time desc nulls last, seq desc limit 2`,
  );
};
