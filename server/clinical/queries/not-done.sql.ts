import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Kind } from '../entries/entry.ts';
import { isShown } from './visible-entries.sql.ts';

/** Of the entries of a kind, those that record what did not take place, or not yet, and statements ("no known procedures"). */
export interface NotDone {
  kind: Kind;
  state: 'not-done' | 'cancelled' | 'planned' | 'unfinished' | 'stated';
  entries: number;
}

/** Counts the procedures, vaccines, visits and results that did not take place. */
export const findNotDone = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<NotDone>`
      select kind, counted.state, sum(counted.entries::integer) as entries
      from record_holding cross join jsonb_each_text(not_done) as counted(state, entries)
      where patient_id = ${access.patientId} and not_done is not null and ${isShown(access)}
      group by kind, counted.state order by kind, counted.state`,
  );
