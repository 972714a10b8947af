import { getLastStart } from '../entries/course-start.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';

/** The day from which on a drug is to be taken: only a detail with another one than the entry's is parsed. */
const start = sql`case when strpos(detail::text, '"begins"') > 0 then detail ->> 'begins' else day_text end`;

/** Whether a medication is to be taken from a day on that is to come, as `isNotBegun` of the entries has it. */
export const isNotBegun = (today: string): Sql => sql`
  coalesce(${start} > left(${today}, length(${start})) and ${start} <= ${getLastStart(today)}, false)`;

/** The day from which on an entry is to be taken, of a drug that is active and to come; null of anything else. */
export const selectStartToCome = (today: string): Sql => sql`
  case when kind = 'medication' and current then case when ${isNotBegun(today)} then ${start} end end`;
