import type { ResourceScope } from '../../../contract/data-categories.ts';
import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { sql } from '../../platform/db/sql.ts';
import { isNotBegun } from './not-begun.sql.ts';
import { selectSimilarIds, type SimilarIds } from './short-references.sql.ts';
import { filterReadable } from './visible-entries.sql.ts';

/** An order or statement of a drug of which one is in force and another is over. */
export interface DrugStatement {
  category: ResourceScope;
  groupKey: string;
  /** It holds today; else its status says that it does not. */
  inForce: boolean;
  status: string | null;
  dayText: string | null;
  endText: string | null;
  dosage: string | null;
  statusReason: string | null;
  reference: string;
  similarIds: SimilarIds;
}

/** The newest of each side decide; of one day there may be several. */
const MAX_STATEMENTS = 5;

/**
 * Finds, of each drug that has orders or statements in force and others that are over, the newest of both, in all of the
 * record. A plan that was given up ends nothing, and neither does what was dispensed or given.
 */
export const findDrugStatements = (access: RecordAccess, today: string) =>
  toRecordQuery(
    access,
    sql<DrugStatement>`
      select category, group_key as "groupKey", in_force as "inForce", status, day_text as "dayText",
        end_text as "endText", detail ->> 'dosage' as dosage, detail ->> 'statusReason' as "statusReason", reference,
        ${selectSimilarIds(access, sql`reference`)} as "similarIds"
      from (
        select *, row_number() over (partition by group_key, in_force
            order by greatest(day_text, end_text) desc nulls first, seq desc, ordinal) as place,
          bool_or(in_force) over drug and not bool_and(in_force) over drug as is_both
        from (
          select *, current as in_force
          from ${filterReadable(access)} and kind = 'medication'
            and split_part(reference, '/', 1) in ('MedicationRequest', 'MedicationStatement')
            and (current and not coalesce(end_text < left(${today}, length(end_text)), false) and not ${isNotBegun(today)}
              or not current and status in ('stopped', 'cancelled', 'completed', 'ended', 'on-hold', 'not-taken')
              and not starts_with(group_key, 'not:')
              and detail::text !~ '"intent":"(?:plan|proposal|option)"')) stated
        window drug as (partition by group_key)) placed
      where is_both and place <= ${MAX_STATEMENTS}
      order by group_key, place`,
  );
