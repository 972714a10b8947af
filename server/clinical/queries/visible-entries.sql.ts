import { labelBit } from '../../consent/access/sensitivity-labels.ts';
import type { RecordAccess } from '../../consent/access/record-access.ts';
import { textArray } from '../../platform/db/array-values.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { PART_TYPES } from '../labels/nested-resource.ts';
import { LOOKED_UP_TYPES } from '../store/looked-up-types.ts';
import { getPublishedLabels } from '../store/published-labels.sql.ts';

/**
 * The patient's entries that a tool may show: no query reads the table otherwise. Without an alias, so that each select
 * uses it once.
 */
export const filterReadable = (access: RecordAccess): Sql => sql`
  ${filterEntriesUnless(access, sql`superseded_by || unless_covered || listed_by`)}`;

/**
 * The same with the panels, organisms and reports that their results name: a search for a germ finds it, and a list shows
 * it over its results.
 */
export const filterFindable = (access: RecordAccess): Sql => sql`
  ${filterEntriesUnless(access, sql`superseded_by || unless_covered`)}`;

/** The same with the entries that another source's entry is shown for: their words find it too. */
export const filterRepresented = (access: RecordAccess): Sql => sql`
  ${filterEntriesUnless(access, sql`unless_covered`)}`;

/** Joining arrays skips those that are null: of most entries all are. */
const filterEntriesUnless = (access: RecordAccess, masks: Sql): Sql => sql`
  clinical_entry where patient_id = ${access.patientId} and ${entryIsCovered(access)}
    and (${masks} is null or not ${coversAny(access, masks)})`;

/**
 * The patient's entries that a consent covers, also those that other entries stand for: what `get_details` opens, of which
 * the first of a resource is the fullest that the consent covers.
 */
export const filterCovered = (access: RecordAccess): Sql => sql`
  clinical_entry where patient_id = ${access.patientId} and ${entryIsCovered(access)}`;

/** What `record_head` says of how far the record is labeled. */
const selectFromHead = ({ patientId }: RecordAccess, expression: string): Sql => sql`
  (select ${raw(expression)} from record_head where patient_id = ${patientId})`;

/**
 * A condition on a row of `clinical_entry`, under an alias where one is given: the consent covers it. Its labels are lower than
 * they will be until the run that wrote it has ended; so long, those that its resource had before count too. Nobody looks the run
 * up where nothing is left out.
 */
export function entryIsCovered(access: RecordAccess, alias = ''): Sql {
  const column = (name: string): Sql => raw(alias === '' ? name : `${alias}.${name}`);
  return isCovered(
    access,
    sql`(${column('required_labels')}
      | case when ${access.withheld} <> 0 and ${column('labeling_run')} > ${selectFromHead(access, 'labeled_run')}
        then coalesce(${column('published_labels')}, -1) else 0 end)`,
  );
}

/** Whether a run that labels the record has not ended. */
export const isBeingLabeled = (access: RecordAccess): Sql =>
  selectFromHead(access, 'labeling_run > labeled_run');

/**
 * A condition on a row `r` of `resource` and its row `l` of `resource_label`: the consent covers it, by the labels that readers
 * go by. A change that is not labeled yet is covered only where nothing is left out.
 */
export const resourceIsCovered = (access: RecordAccess): Sql =>
  isCovered(access, selectResourceLabels(access));

/** The types that are part of what names them: who did something, where, and of what a drug is made. */
const PARTS = [...LOOKED_UP_TYPES].filter((type) => PART_TYPES.has(type));

/**
 * The same of a resource that is only named: who did something and where belongs to what was done, whether or not administration is
 * shared.
 */
export const nameIsCovered = (access: RecordAccess): Sql =>
  isCovered(
    access,
    sql`(${selectResourceLabels(access)}
      & case when r.resource_type = any(${textArray(PARTS)}) then ${~labelBit('ADMINISTRATIVE_AND_BILLING')}::integer else -1 end)`,
  );

const selectResourceLabels = (access: RecordAccess): Sql => sql`
  case when ${access.withheld} <> 0 and r.last_updated > ${selectFromHead(access, 'labeled_until')} then -1
    else coalesce(${getPublishedLabels('l')}, -1) end`;

/** True when the consent covers the row, and covers nothing that supersedes it (docs/record-linkage.md). */
export const isShown = (access: RecordAccess): Sql => sql`
  ${isCovered(access, sql`required_labels`)} and (superseded_by is null or not ${coversAny(access, sql`superseded_by`)})`;

/**
 * True when the consent covers one of these masks, of which there is mostly one: calls of the function (migration
 * `0040-entry-functions.sql`) took 10 ms of a list of medications on the embedded engine.
 */
const coversAny = ({ withheld }: RecordAccess, masks: Sql): Sql => sql`
  case cardinality(${masks}) when 1 then (${masks})[1] & ${withheld} = 0 else covers_any(${masks}, ${withheld}) end`;

/**
 * True when the consent withholds none of these labels. Written like this the planner expects nearly all rows to pass;
 * with `= 0` it expects one in two hundred, and a search of notes took 77 ms instead of 3.
 */
export const isCovered = ({ withheld }: RecordAccess, requiredLabels: Sql): Sql => sql`
  least(${requiredLabels} & ${withheld}, 1) <> 1`;

/** The columns `visit` and `organization`, which differ where the consent withholds visits. */
export const selectVisitAndOrganization = (access: RecordAccess): Sql => sql`
  case when ${labelBit('VISITS')}::integer & ${access.withheld} = 0 then visit end as visit,
  ${selectOrganization(access)} as organization`;

export const selectOrganization = ({ withheld }: RecordAccess): Sql => sql`
  case when visit_labels & ${withheld} <> 0 then organization_without_visit else organization end`;
