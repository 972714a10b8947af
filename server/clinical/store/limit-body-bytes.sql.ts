import { sql, type Sql } from '../../platform/db/sql.ts';

/** Bodies in memory at a time: 200 ordinary ones are a tenth of it, one that holds a scan may be several times as large. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Limits `rows`, in the order of `seq`, to as many as their bodies fill a page, and at least one. */
export const limitBodyBytes = (rows: Sql): Sql => sql`
  select * from (
    select *, sum(octet_length(body)) over (order by seq rows unbounded preceding) - octet_length(body) as bytes_before
    from (${rows}) rows) sized
  where bytes_before < ${MAX_PAGE_BYTES}::bigint order by seq`;
