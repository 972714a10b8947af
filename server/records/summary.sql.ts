import { recordQuery, type RecordAccess } from '../consent/record-access.ts';
import { sql } from '../storage/sql.ts';
import { entryColumns, readableEntries, type Recorded } from './clinical.sql.ts';
import { VITAL_NAMES, type Kind } from './entry.ts';

/** Entries of one kind that are one thing to a reader, told by the one in force, else the newest. */
export type Group<K extends Kind = Kind> = Recorded<K> & {
  times: number;
  firstDay: string | null;
  lastDay: string | null;
};

/** At most 400 groups, those in force first, then by their newest day. */
export const groupsOf = <K extends Kind>(access: RecordAccess, kind: K) =>
  recordQuery(
    access,
    sql<Group<K>>`
      select * from (
        select distinct on (group_key) ${entryColumns},
          count(*) over same as times, min(day_text) over same as "firstDay", max(day_text) over same as "lastDay"
        from ${readableEntries(access)} and kind = ${kind}
        window same as (partition by group_key)
        order by group_key, current desc, day desc nulls last, time desc nulls last, seq desc) groups
      order by current desc, "lastDay" desc nulls last, title limit 400`,
  );

/** The newest three of each of the eight vital signs that hold a value. */
export const latestVitals = (access: RecordAccess) =>
  recordQuery(
    access,
    sql<Recorded<'vital'>>`
      select newest.* from unnest(${VITAL_NAMES}::text[]) with ordinality as sign (name, place)
      cross join lateral (
        select ${entryColumns} from ${readableEntries(access)} and vital = sign.name
        order by day desc nulls last, time desc nulls last, seq desc limit 3) newest
      order by sign.place, newest.day desc nulls last, newest.time desc nulls last, newest.seq desc`,
  );

export interface Holding {
  kind: Kind;
  entries: number;
  firstDay: string | null;
  lastDay: string | null;
}

/** How much there is of each kind. */
export const holdings = (access: RecordAccess) =>
  recordQuery(
    access,
    sql<Holding>`
      select kind, sum(entries)::bigint as entries, min(first_day) as "firstDay", max(last_day) as "lastDay"
      from record_holding where patient_id = ${access.patientId} group by kind order by kind`,
  );
