import type { RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { entryIsCovered, isCovered } from './visible-entries.sql.ts';
import { mayHoldAlikeIds, type SimilarIds } from './short-references.sql.ts';
import type { Entry } from '../entries/entry.ts';

/** An entry of another source about the same fact, or one that contradicts it. */
export type MatchedEntry = Pick<
  Entry,
  'title' | 'dayText' | 'time' | 'endText' | 'status' | 'current' | 'organization'
> & {
  reference: string;
  similarIds?: SimilarIds;
  documentPath: string;
} & ({ link: 'same' } | ({ link: 'differs' } & Pick<Entry, 'kind' | 'detail'>));

/**
 * The column "matches" of an entry: which other sources state the fact and which contradict it, as far as the consent
 * covers them; null for most. The other side of a contradiction is the entry that is shown for it. A difference that an
 * entry of `unless` explains is no contradiction.
 */
export const selectMatches = (access: RecordAccess): Sql => sql`
  case when matches is not null then
    find_matched_entries(${access.patientId}, matches, ${access.withheld}, ${mayHoldAlikeIds(access)}) end as "matches"`;

/** The entry that is shown in place of the one at `use.seq` and `use.ordinal`: words that only another source uses find it too. */
export const selectSuperseding = (access: RecordAccess, use: Sql): Sql => sql`
  select better.seq, better.ordinal
  from (
    select matches from clinical_entry
    where patient_id = ${access.patientId} and seq = ${use}.seq and ordinal = ${use}.ordinal and ${entryIsCovered(access)}
      and matches is not null) hidden
  cross join lateral (
    select link.seq, link.ordinal, link.place
    from rows from (jsonb_to_recordset(matches) as (seq bigint, ordinal integer, needs integer, link text))
      with ordinality as link(seq, ordinal, needs, link, place)
    where link.link = 'better' and ${isCovered(access, sql`link.needs`)}
    order by link.place limit 1) better`;

const addMatchedVisits = (access: RecordAccess, names: Sql): Sql => sql`
  select name from (${names}) own(name)
  union
  select other.reference
  from clinical_entry visit
  cross join lateral jsonb_to_recordset(visit.matches)
    as elsewhere(seq bigint, ordinal integer, needs integer, link text)
  cross join lateral (
    select reference, required_labels, labeling_run, published_labels from clinical_entry
    where patient_id = ${access.patientId} and seq = elsewhere.seq and ordinal = elsewhere.ordinal) other
  where visit.patient_id = ${access.patientId} and visit.kind = 'visit' and visit.reference in (${names})
    and visit.matches is not null and elsewhere.link <> 'differs' and ${entryIsCovered(access, 'visit')}
    and ${isCovered(access, sql`elsewhere.needs`)} and ${entryIsCovered(access, 'other')}`;

/**
 * The references of a visit in all sources. Twice: from any source's visit to the one that is shown, then from that to all
 * that it stands for.
 */
export const selectMatchedVisits = (access: RecordAccess, names: Sql): Sql => sql`
  array(${addMatchedVisits(access, addMatchedVisits(access, names))})`;
