import { recordQuery, type RecordAccess } from '../consent/record-access.ts';
import { sql } from '../storage/sql.ts';
import { entryColumns, readableEntries, type Recorded } from './clinical.sql.ts';
import type { Kind } from './entry.ts';

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
      select * from (
        select ${entryColumns}, row_number() over (
          partition by detail ->> 'vital' order by day desc nulls last, time desc nulls last, seq desc) as place
        from ${readableEntries(access)} and kind = 'vital' and detail ->> 'vital' is not null
          and (detail ->> 'value' is not null or json_array_length(detail -> 'components') > 0)) vitals
      where place <= 3 order by place`,
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
      select kind, count(*) as entries, min(day) as "firstDay", max(day) as "lastDay"
      from ${readableEntries(access)} group by kind order by kind`,
  );
