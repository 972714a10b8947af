import { sql } from '../../platform/db/sql.ts';

/** `expire` is in milliseconds since 1970, as the limiter's library stores it. */
export interface CountRow {
  key: string;
  points: number;
  expire: number;
}

/** Deletes expired counts. */
export const deleteExpiredCounts = (now: Date) => sql`delete from rate_limit where expire < ${now.getTime()}`;

export const findCounts = (keys: readonly string[], now: number) => sql<CountRow>`
  select key, points, expire from rate_limit where key = any(${keys}::text[]) and expire > ${now}`;

/** Counts one more under each key, in a new window where the last has passed. Keys in order, so that no two wait for each other. */
export const countAttempt = (keys: readonly string[], now: number, expire: number) => sql<CountRow>`
  insert into rate_limit as known (key, points, expire)
  select key, 1, ${expire}::bigint from unnest(${keys}::text[]) key order by key
  on conflict (key) do update set
    points = case when known.expire <= ${now} then 1 else known.points + 1 end,
    expire = case when known.expire <= ${now} then excluded.expire else known.expire end
  returning key, points, expire`;

/** Takes one back from each count whose window is still the same; `forgottenKey` starts at nothing again. */
export const uncountAttempt = (counts: readonly CountRow[], forgottenKey: string | null) => sql`
  with counted as (
    select key, expire from unnest(${counts.map(({ key }) => key)}::text[], ${counts.map(({ expire }) => expire)}::bigint[]) c(key, expire)),
  locked as (
    select r.key from rate_limit r join counted using (key, expire) order by r.key for update of r)
  update rate_limit r set points = case when r.key = ${forgottenKey} then 0 else greatest(r.points - 1, 0) end
  from locked where r.key = locked.key`;

export const keepKnown = (key: string, expire: number) => sql`
  insert into rate_limit (key, points, expire) values (${key}, 0, ${expire}) on conflict (key) do update set expire = excluded.expire`;
