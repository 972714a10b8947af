import type { DataMask, PatientId } from '../../../contract/brands.ts';
import { labelBit } from '../../consent/access/sensitivity-labels.ts';
import { bigintArray, formatArray, integerArray, textArray } from '../../platform/db/array-values.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { isAmongSeqs, isSeqOf } from '../store/among-seqs.sql.ts';
import { scoreInformativeness } from './informativeness.ts';
import type { Entry } from './entry.ts';
import type { ObservationDetail } from './observation-detail.ts';

/** An entry with the resource it was built from (`seq`) and its number among that resource's entries (`ordinal`). */
export interface NewEntry {
  seq: number;
  ordinal: number;
  /** `Type/id`. */
  reference: string;
  /** The document the resource came in. */
  documentPath: string;
  /** What a consent must cover for it to be shown: its category and its restricted classes. */
  requiredLabels: DataMask;
  /** What readers go by besides, until the run that writes it has ended: see `findResources`. */
  publishedLabels: DataMask;
  /** Masks of entries of the same resource that say the same and more: it is shown where the consent covers none of them. */
  unlessCovered?: readonly DataMask[];
  /** A UUID of the server it is from, or of the document of one upload; without it the document's path identifies the source. */
  sourceKey?: string;
  entry: Entry;
}

const toRow = ({
  seq,
  ordinal,
  reference,
  documentPath,
  requiredLabels,
  publishedLabels,
  unlessCovered,
  sourceKey,
  entry,
}: NewEntry) => ({
  seq,
  ordinal,
  kind: entry.kind,
  category: entry.category,
  required_labels: requiredLabels,
  published_labels: publishedLabels,
  title: entry.title,
  code: entry.code,
  day: entry.day,
  day_text: entry.dayText,
  time: entry.time,
  end_text: entry.endText,
  status: entry.status,
  current: entry.current ? 1 : 0,
  group_key: entry.groupKey,
  visit: entry.visit,
  organization: entry.organization,
  visit_labels: entry.organizationWithoutVisit === undefined ? null : labelBit('VISITS'),
  organization_without_visit: entry.organizationWithoutVisit ?? null,
  reference,
  document_path: documentPath,
  detail: JSON.stringify(entry.detail),
  vital: entry.kind === 'vital' && hasValue(entry.detail) ? entry.detail.vital : null,
  same_as: entry.kind === 'note' ? entry.detail.sameAs : null,
  source_key: sourceKey ?? null,
  names: entry.names === undefined ? null : formatArray(entry.names),
  date_from: entry.dateFrom ?? null,
  informativeness: entry.informativeness ?? scoreInformativeness(entry),
  links:
    entry.links === undefined
      ? null
      : formatArray(entry.links.map(({ role, target }) => `${role} ${target}`)),
  unless_covered: unlessCovered === undefined ? null : formatArray(unlessCovered),
});

const hasValue = ({ value, components }: ObservationDetail): boolean =>
  value !== null || components.length > 0;

/** Deletes the entries of `seqs`. */
export const deleteEntries = (patientId: PatientId, seqs: readonly number[]) => sql`
  delete from clinical_entry where patient_id = ${patientId} and ${isAmongSeqs(seqs)}`;

type Row = ReturnType<typeof toRow>;
type NameOf<Value> = { [Name in keyof Row]: Row[Name] extends Value ? Name : never }[keyof Row];

/**
 * Inserts entries, each column of them as an array: of rows as JSON PostgreSQL makes a table of its 30 members for each, which
 * took half of the time of the whole statement.
 */
export const insertEntries = (patientId: PatientId, labelingRun: number, entries: readonly NewEntry[]) => {
  const rows = entries.map(toRow);
  const texts = (name: NameOf<string | null>) => textArray(rows.map((row) => row[name]));
  const integers = (name: NameOf<number | null>) => integerArray(rows.map((row) => row[name]));
  return sql`
  insert into clinical_entry (patient_id, labeling_run, seq, ordinal, kind, category, required_labels, published_labels, title, code, day, day_text, time, end_text, status,
    current, group_key, visit, organization, visit_labels, organization_without_visit, reference, document_path, detail, vital, same_as,
    source_key, names, date_from, informativeness, links, unless_covered)
  select ${patientId}, ${labelingRun}::integer, seq, ordinal, kind, category, required_labels, published_labels, title, code, day::date, day_text, time, end_text, status,
    current = 1, group_key, visit, organization, visit_labels, organization_without_visit, reference, document_path, detail::json, vital,
    same_as, source_key::uuid, names::text[], date_from, informativeness, links::text[], unless_covered::integer[]
  from unnest(${bigintArray(rows.map(({ seq }) => seq))}, ${integers('ordinal')}, ${texts('kind')}, ${texts('category')},
    ${integers('required_labels')}, ${integers('published_labels')}, ${texts('title')}, ${texts('code')}, ${texts('day')}, ${texts('day_text')}, ${texts('time')},
    ${texts('end_text')}, ${texts('status')}, ${integers('current')}, ${texts('group_key')}, ${texts('visit')}, ${texts('organization')},
    ${integers('visit_labels')}, ${texts('organization_without_visit')}, ${texts('reference')}, ${texts('document_path')},
    ${texts('detail')}, ${texts('vital')}, ${texts('same_as')}, ${texts('source_key')}, ${texts('names')}, ${texts('date_from')},
    ${integers('informativeness')}, ${texts('links')}, ${texts('unless_covered')})
  as n(seq, ordinal, kind, category, required_labels, published_labels, title, code, day, day_text, time, end_text, status, current, group_key, visit,
    organization, visit_labels, organization_without_visit, reference, document_path, detail, vital, same_as, source_key, names,
    date_from, informativeness, links, unless_covered)`;
};

/** The links of an entry to the entries of other sources, computed by the module linkage. */
export interface LinkUpdate {
  seq: number;
  ordinal: number;
  /** JSON of the column `matches`. */
  matches: string;
  supersededBy: number[];
}

/** Writes the links that changed; each entry is looked up by its key, as in `resources.sql.ts`. */
export const updateLinks = (patientId: PatientId, updates: readonly LinkUpdate[]) => sql`
  update clinical_entry e set matches = changed.matches, superseded_by = changed.superseded_by
  from (
    select wanted.seq, wanted.ordinal, wanted.matches, wanted.superseded_by
    from jsonb_to_recordset(${serializeUpdates(updates)}::jsonb) as wanted(seq bigint, ordinal integer, matches jsonb, superseded_by integer[])
    cross join lateral (
      select matches, superseded_by from clinical_entry
      where patient_id = ${patientId} and seq between wanted.seq and wanted.seq and ordinal = wanted.ordinal order by seq offset 0) stored
    where (stored.matches, stored.superseded_by) is distinct from (wanted.matches, wanted.superseded_by)) changed
  where e.patient_id = ${patientId} and ${isSeqOf(updates, 'e')}
    and e.seq = changed.seq and e.ordinal = changed.ordinal`;

const serializeUpdates = (updates: readonly LinkUpdate[]): string =>
  `[${updates
    .map(
      ({ seq, ordinal, matches, supersededBy }) =>
        `{"seq":${seq},"ordinal":${ordinal},"matches":${matches},"superseded_by":${supersededBy.length === 0 ? 'null' : JSON.stringify(supersededBy)}}`,
    )
    .join(',')}]`;

/** The entries that hold the same and more, by the masks of what a consent must cover for one of them to be shown. */
export interface SupersededRow {
  seq: number;
  ordinal: number;
  /** null: none. */
  superseded_by: number[] | null;
}

/** Finds the masks that are not stored as `links` has them, which selects `seq`, `ordinal` and `superseded_by`. */
export const findChangedMasks = (patientId: PatientId, links: Sql) => sql<SupersededRow>`
  select link.seq, link.ordinal, link.superseded_by
  from (${links}) link cross join lateral (
    select superseded_by from clinical_entry
    where patient_id = ${patientId} and seq between link.seq and link.seq and ordinal = link.ordinal order by seq offset 0) stored
  where stored.superseded_by is distinct from link.superseded_by`;

export const updateSupersededBy = (patientId: PatientId, rows: readonly SupersededRow[]) => sql`
  update clinical_entry e set superseded_by = link.superseded_by
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as link(seq bigint, ordinal integer, superseded_by integer[])
  where e.patient_id = ${patientId} and ${isSeqOf(rows, 'e')}
    and e.seq = link.seq and e.ordinal = link.ordinal`;

/** Removes all links to other sources, for a record of which one source is left. */
export const deleteLinks = (patientId: PatientId) => sql`
  update clinical_entry set matches = null, superseded_by = null
  where patient_id = ${patientId} and matches is not null`;

export const deleteHoldings = (patientId: PatientId) =>
  sql`delete from record_holding where patient_id = ${patientId}`;

/** Counts the entries, and apart those of procedures, vaccines, visits and results that did not take place (`NotDone`). */
export const insertHoldings = (patientId: PatientId) => sql`
  insert into record_holding (patient_id, kind, category, required_labels, superseded_by, entries, undated, first_day, last_day, not_done)
  select ${patientId}, kind, category, required_labels, superseded_by, sum(entries), sum(undated), min(first_day), max(last_day),
    jsonb_object_agg(state, entries) filter (where state is not null)
  from (
    select kind, category, required_labels, superseded_by, state, count(*) as entries, count(*) filter (where day is null) as undated,
      min(day) as first_day, max(day) as last_day
    from (
      select kind, category, required_labels, day, coalesce(superseded_by || unless_covered || listed_by, '{}') as superseded_by,
        case
          when kind in ('procedure', 'immunization') and strpos(detail::text, '"none"') > 0 and detail ->> 'none' = 'true' then 'stated'
          when kind in ('lab', 'visit') and status in ('cancelled', 'planned') then status
          when kind in ('procedure', 'immunization') and status = 'not-done' then status
          when kind = 'procedure' and status <> 'completed' then 'unfinished' end as state
      from clinical_entry where patient_id = ${patientId}) entry
    group by kind, category, required_labels, superseded_by, state) counted
  group by kind, category, required_labels, superseded_by`;
