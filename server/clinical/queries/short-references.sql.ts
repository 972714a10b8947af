import type { RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { entryIsCovered, filterReadable } from './visible-entries.sql.ts';

/** The ids before and after a resource's own among those of its type: how much of it must be shown to be no other's. */
export type SimilarIds = readonly (string | null)[] | null;

/**
 * The ids beside that of `reference` (SQL, `Type/id`) in the part of the record that the consent covers; null where the
 * record holds no two alike ids, which is decided once a statement. Two look-ups in the index by id otherwise.
 */
export const selectSimilarIds = (access: RecordAccess, reference: Sql): Sql => sql`
  case when ${mayHoldAlikeIds(access)} and length(split_part(${reference}, '/', 2)) = 36
    then find_similar_ids(${access.patientId}, ${reference}, ${access.withheld}) end`;

export const mayHoldAlikeIds = (access: RecordAccess): Sql => sql`
  (select has_alike_ids from record_head where patient_id = ${access.patientId}) is not false`;

/** The beginning of a UUID, as answers show it. */
const SHORT_ID = /^[0-9a-f-]{8,35}$/i;

/**
 * Selects the references under which entries name the visit: as given, and of the beginning of a UUID the one visit that
 * begins so, as far as the consent covers visits; none where several do.
 */
export const selectVisitNames = (access: RecordAccess, encounterId: string): Sql => {
  const given = `Encounter/${encounterId}`;
  const asGiven = sql`select unnest(${[given, `urn:uuid:${encounterId}`]}::text[])`;
  if (!SHORT_ID.test(encounterId)) return asGiven;
  return sql`
    ${asGiven} union select min(name) from (
      select lower(reference) as key, reference as name from clinical_entry
      where patient_id = ${access.patientId} and kind = 'visit' and ${entryIsCovered(access)}
      union select lower(visit), visit from ${filterReadable(access)} and visit is not null) known
    where starts_with(key, lower(${given})) and length(name) = ${given.length - encounterId.length + 36}
    having count(distinct key) = 1`;
};
