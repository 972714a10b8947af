import {
  gateCoversLabels,
  gateCovers,
  gateIsFull,
  buildPartnerGate,
} from '../../consent/access/partner-gate.sql.ts';
import type { PartnerAccess } from '../../consent/access/partner-access.ts';
import { labelBit } from '../../consent/access/sensitivity-labels.ts';
import { selectPublishedLabels } from '../../clinical/store/published-labels.sql.ts';
import { resourceIsCovered } from './resource-labels.sql.ts';
import type { RedactedRow } from '../../clinical/labels/redact.ts';
import { PERSON_TYPES } from '../../clinical/labels/contact-elements.ts';
import { textArray } from '../../platform/db/array-values.ts';
import { limitBodyBytes } from '../../clinical/store/limit-body-bytes.sql.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import type { Assumptions, Selection } from './selection.ts';
import { CONTACT_CATEGORIES } from './remove-contact.ts';

export interface RecordSummaryRow {
  known: boolean;
  permitted: boolean;
  /** Some consent leaves out nothing. */
  full: boolean;
  /** What each consent leaves out, as one text; null: there is none. */
  masks: string | null;
  demographics: boolean;
  contact: boolean;
  consent_record_id: string | null;
  project_id: string | null;
  /** Without what servers said of their answers, which is no part of a record. */
  total: number | null;
  last_synchronized_at: Date | null;
  /** Until when all changes have their labels; null: until the last one. */
  labeled_until: Date | null;
  /** When the patient last took something out. */
  removed_at: Date | null;
  first_name: string | null;
  last_name: string | null;
  date_of_birth: string | null;
  created_at: Date | null;
  /** When the Person was another one, but for Patients that are there, as JSON: as far as the reader may see it. */
  person_changes: string | null;
  /** Records of substance use treatment programs may be among what is read (42 CFR part 2). */
  part_2: boolean;
}

/** Selects the person of a record, what may be read of it now, and its extent. */
export const selectRecordSummary = (access: PartnerAccess, now: Date) => sql<RecordSummaryRow>`
  with ${buildPartnerGate(access, now)},
    best as (select consent_record_id, project_id from gate order by withheld <> 0, decided_at desc limit 1)
  select p.patient_id is not null as known, exists (select from gate) as permitted,
    coalesce((select bool_or(withheld = 0) from gate), false) as full,
    (select string_agg(distinct withheld::text, ' ') from gate) as masks,
    ${gateCovers('DEMOGRAPHICS')} as demographics, ${gateCovers(...CONTACT_CATEGORIES)} as contact,
    (select consent_record_id from best) as consent_record_id, (select project_id from best) as project_id,
    h.total - (select count(*)::int from resource where patient_id = ${access.patientId} and resource_type = 'OperationOutcome') as total,
    h.last_synchronized_at, h.labeled_until, h.removed_at, p.first_name, p.last_name, p.date_of_birth, p.created_at,
    (select json_agg(c.at)::text from jsonb_each_text(h.person_changes) c(labels, at)
      where ${gateCoversLabels(sql`c.labels::integer`)}) as person_changes,
    exists (select from record_holding where patient_id = ${access.patientId}
      and required_labels & ${labelBit('SUD_PART_2')}::integer <> 0 and ${gateCoversLabels(sql`required_labels`)}) as part_2
  from (select 1) always
  left join patient p on p.patient_id = ${access.patientId}
  left join record_head h on h.patient_id = ${access.patientId}`;

export interface LinkedPatientRow {
  fhir_id: string;
  last_updated: Date;
  /** null: not selected, or too long to be read for a birth date. */
  body: string | null;
}

const MAX_PATIENTS = 500;

/** A longer Patient carries a photograph. */
const MAX_PATIENT_BYTES = 64 * 1024;

/** Selects the Patients of the record as it was; each document adds one. */
export const selectLinkedPatients = (
  access: PartnerAccess,
  { state, bodies, now }: { state: Date; bodies: boolean; now: Date },
) => {
  const body = bodies
    ? sql`case when octet_length(body) <= ${MAX_PATIENT_BYTES} then body end`
    : raw('null::text');
  const columns = sql`fhir_id, ${body} as body`;
  return sql<LinkedPatientRow>`
    with ${buildPartnerGate(access, now)}
    select fhir_id, last_updated, body from (${selectVisible(access, { types: ['Patient'], since: null, dates: null, state }, { columns, times: true })}) v
    order by seq limit ${MAX_PATIENTS}`;
};

export interface PersonResourceRow extends RedactedRow {
  seq: number;
  resource_type: string;
  fhir_id: string;
  body: string;
  /** The masks of what the consents leave out. */
  withheld: number[];
}

/** The types that are sent without some of their elements, where no consent covers how to reach somebody. */
const isPerson: Sql = sql`resource_type = any(${textArray([...PERSON_TYPES])})`;

/** Selects a page of the selection's Patients and uploaded Persons after a `seq`; no rows when there are no more. */
export const selectPersonsAfter = (
  access: PartnerAccess,
  selection: Selection,
  { after, now }: { after: number; now: Date },
) => {
  const parts: QueryParts = {
    columns: sql`resource_type, fhir_id, body`,
    labels: true,
    where: sql`seq > ${after} and ${isPerson}`,
    order: sql`order by seq limit ${MAX_PATIENTS}`,
  };
  return sql<PersonResourceRow>`
    with ${buildPartnerGate(access, now)}
    ${limitBodyBytes(sql`
      select seq, resource_type, fhir_id, body, required_labels, redactions, ${gateMasks} as withheld
      from (${selectVisible(access, selection, parts)}) v order by seq limit ${MAX_PATIENTS}`)}`;
};

interface QueryParts {
  columns: Sql;
  /** Adds `required_labels` and `redactions`. */
  labels?: boolean;
  /** Adds `last_updated`. */
  times?: boolean;
  /** A condition on `seq`. */
  where?: Sql;
  /** `order by seq limit …`, in each half of the union, so that each scans its index in order. */
  order?: Sql;
  assumptions?: Assumptions;
}

/** Selects the resources that may be read, as they were at the selection's state; `seq` is the first column. */
function selectVisible(
  access: PartnerAccess,
  { types, since, dates, state }: Selection,
  parts: QueryParts,
): Sql {
  const { columns, labels = false, times = false, where = raw('true'), order = raw(''), assumptions } = parts;
  // In a searchset it is what a server says of its answer (FHIR R4 §3.1.1.3.2), never a part of a record.
  const filter = sql`
    and resource_type <> 'OperationOutcome'
    ${types === null ? raw('') : sql`and resource_type = any(${types}::text[])`}
    ${typeof dates?.start === 'string' ? sql`and last_day >= ${dates.start}::date` : raw('')}
    ${typeof dates?.end === 'string' ? sql`and first_day <= ${dates.end}::date` : raw('')}`;
  const current = sql`
    (select r.seq, ${columns} ${raw(times ? ', last_updated' : '')} ${raw(labels ? ', l.required_labels, l.redactions' : '')} from resource r
    ${
      labels
        ? sql`left join lateral (
      select ${selectPublishedLabels('n')} from resource_label n where n.patient_id = ${access.patientId} and n.seq = r.seq) l on true`
        : raw('')
    }
    where patient_id = ${access.patientId} and ${where} and last_updated <= ${state} ${filter}
      ${since === null ? raw('') : sql`and last_updated > ${since}`}
      and ${assumptions?.full ? gateIsFull : resourceIsCovered(access)} ${order})`;
  if (assumptions?.unchanged) return current;
  return sql`
    ${current} union all
    (select seq, ${columns} ${raw(times ? ', valid_from as last_updated' : '')} ${raw(labels ? ', required_labels, redactions' : '')} from resource_version b
    where patient_id = ${access.patientId} and ${where} and valid_from <= ${state} and valid_until > ${state} ${filter}
      ${since === null ? raw('') : sql`and valid_from > ${since}`} and ${gateCoversLabels(sql`b.required_labels`)} ${order})`;
}

export const countSelected = (access: PartnerAccess, selection: Selection, now: Date) => sql<{
  total: number;
}>`
  with ${buildPartnerGate(access, now)}
  select count(*) as total from (${selectVisible(access, selection, { columns: raw('1 as one') })}) v`;

/** Selects the last change until a state among the resources that may be read. */
export const selectNewestVisible = (access: PartnerAccess, state: Date, now: Date) => sql<{
  newest: Date | null;
}>`
  with ${buildPartnerGate(access, now)}
  select greatest(
    (select max(last_updated) from resource r
      where patient_id = ${access.patientId} and last_updated <= ${state} and ${resourceIsCovered(access)}),
    (select max(valid_from) from resource_version b
      where patient_id = ${access.patientId} and valid_from <= ${state} and valid_until > ${state}
        and ${gateCoversLabels(sql`b.required_labels`)})) as newest`;

/** Selects the `seq` of the `skip`-th resource of the selection, counted from 1. */
export const selectSeqAt = (
  access: PartnerAccess,
  selection: Selection,
  { skip, now }: { skip: number; now: Date },
) => sql<{ seq: number }>`
  with ${buildPartnerGate(access, now)}
  select seq from (${selectVisible(access, selection, { columns: raw('1 as one') })}) v order by seq offset ${skip - 1} limit 1`;

/** The text before each body: a constant, or two texts around the reference of the resource. */
export type ResourcePrefix = string | { before: string; after: string };

const toPrefixSql = (prefix: ResourcePrefix): Sql =>
  typeof prefix === 'string'
    ? sql`${prefix}::text`
    : sql`${prefix.before}::text || resource_type || '/' || fhir_id || ${prefix.after}::text`;

export interface ChunkQuery {
  /** The `seq` to start from, exclusive. */
  after: number;
  /**
   * The last `seq` that is scanned. With both ends known the planner scans the index, whatever its statistics; of a table
   * without statistics it sorted all rows that followed, for every chunk.
   */
  end: number;
  rows: number;
  /** The bytes of bodies; the resource that reaches the limit is still included. */
  bytes: number;
  prefix: ResourcePrefix;
  /** Includes Patients and Persons, which takes a consent that covers their addresses. */
  contact: boolean;
  now: Date;
  assumptions: Assumptions;
}

/**
 * Selects a chunk of resources as one text, for `queryRowBytes`. Fields: whether a consent permits it and whether the assumptions hold
 * (0 or 1 each), the `seq` to continue after, the number of resources, whether the record ends here (0 or 1), the masks of what
 * the consents leave out, the redactions (a line for each resource: the bytes of its reference and of its body, its labels,
 * and where it has parts that require more: those), the text. Where a consent leaves out nothing, there is nothing to redact.
 * `string_agg` evaluates the delimiter for each row; the empty first row gives every body a prefix of its own.
 */
export function selectChunk(
  access: PartnerAccess,
  selection: Selection,
  { prefix, contact, now, assumptions, ...limits }: ChunkQuery,
): Sql {
  const { after, end, rows, bytes } = limits;
  const permitted = contact ? gateCovers(...CONTACT_CATEGORIES) : sql`exists (select from gate)`;
  const parts: QueryParts = {
    columns: sql`resource_type, fhir_id, body`,
    labels: !assumptions.full,
    where: sql`seq > ${after} and seq <= ${end} ${contact ? raw('') : sql`and not ${isPerson}`}`,
    order: sql`order by seq limit ${rows}`,
    assumptions,
  };
  const fitsFilter = sql`filter (where before < ${bytes})`;
  return sql`
    with ${buildPartnerGate(access, now)}
    select (${permitted})::integer, coalesce((${stillHold(access, selection, assumptions)})::integer, 0),
      (case when fitting = found and found < ${rows} then ${end} else last end)::bigint, fitting::integer,
      (fitting = found and found < ${rows} and not exists (
        select from record_head where patient_id = ${access.patientId} and next_seq > ${end}::bigint + 1))::integer,
      ${assumptions.full ? raw('null::text') : sql`array_to_string(${gateMasks}, ' ')`}, redactions, text
    from (
      select max(seq) ${fitsFilter} as last, count(*) ${fitsFilter} - 1 as fitting, count(*) - 1 as found,
        ${assumptions.full ? raw('null::text') : sql`string_agg(redactions, E'\\n') ${fitsFilter}`} as redactions,
        string_agg(body, ${toPrefixSql(prefix)}) ${fitsFilter} as text
      from (
        select ${after}::bigint as seq, '' as resource_type, '' as fhir_id, '' as body, null::text as redactions, 0 as before
        union all (
          select seq, resource_type, fhir_id, body,
            ${assumptions.full ? raw('null::text') : describeRedactions} as redactions,
            sum(octet_length(body)) over (order by seq rows unbounded preceding) - octet_length(body) as before
          from (${selectVisible(access, selection, parts)}) v order by seq limit ${rows})) sized) chunk`;
}

const describeRedactions = sql`
  concat_ws('|', octet_length(resource_type) + octet_length(fhir_id) + 1, octet_length(body), coalesce(required_labels, -1), redactions)`;

/** The masks of what the consents of the gate leave out. */
const gateMasks: Sql = raw('(select array_agg(withheld) from gate)');

/** A condition: the assumptions hold, and nothing was taken out since the state. */
const stillHold = (
  { patientId }: PartnerAccess,
  { state }: Selection,
  { full, unchanged }: Assumptions,
): Sql => sql`
  ${full ? gateIsFull : raw('true')}
    and (select ${unchanged ? sql`last_synchronized_at = ${state}` : sql`removed_at is null or removed_at <= ${state}`}
      from record_head where patient_id = ${patientId})`;

/** Selects whether anything changed after one time and until another. */
export const hasChangedBetween = ({ patientId }: PartnerAccess, after: Date, until: Date) => sql<{
  changed: boolean;
}>`
  select exists (
    select from resource where patient_id = ${patientId} and last_updated > ${after} and last_updated <= ${until}
    union all
    select from resource_version where patient_id = ${patientId} and valid_from > ${after} and valid_from <= ${until}
  ) as changed`;
