import { sql, type Sql } from '../../platform/db/sql.ts';

/**
 * The flags of a result that are no normal one, in the JSON of its detail: the source's, or ours, as `isAbnormal` of the texts
 * has it. Looked for after the plain word.
 */
const ABNORMAL_FLAG = '"flag" ?: ?"(high|low|critical|abnormal)';

/** Whether a detail, as text, has a flag that is no normal one. */
export const isFlagged = (detail: Sql): Sql =>
  sql`${detail} like '%"flag"%' and ${detail} ~ ${ABNORMAL_FLAG}`;
