import type { ResourceScope } from '../../../contract/data-categories.ts';
import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import type { RedactedRow } from '../labels/redact.ts';
import { OBJECTING_WORDS } from '../entries/objection.ts';
import { selectPublishedLabels } from '../store/published-labels.sql.ts';
import { mayObject } from '../store/objected-resources.sql.ts';
import { selectEntryWithBeginning, type StoredEntry } from './clinical.sql.ts';
import { selectDocumentName } from './document-name.sql.ts';
import { selectSimilarIds, type SimilarIds } from './short-references.sql.ts';
import {
  filterCovered,
  filterReadable,
  filterRepresented,
  nameIsCovered,
  resourceIsCovered,
} from './visible-entries.sql.ts';

/** A reference that a caller names: an id in full, the beginning of a UUID, or none for all of the type. */
export interface NamedReference {
  type: string;
  id: string | null;
  /** It is the mark of a row that stands for several facts: "Condition/6d6e1f3a (12)". */
  isMark: boolean;
  /** The number in it. */
  count: number | null;
  from: ReadFrom;
}

/** Where a caller who has read a part goes on. */
export interface ReadFrom {
  /** Characters of each value that are read already. */
  character: number;
  /** The first field, from 1. */
  field: number;
  /** The first of the entries that a mark stands for, from 1. */
  entry: number;
}

export const FROM_START: ReadFrom = { character: 0, field: 1, entry: 1 };

/** A resource that was asked for. */
export interface ReferencedResource extends RedactedRow {
  /** The position in the list of the caller. */
  place: number;
  category: ResourceScope;
  reference: string;
  similarIds: SimilarIds;
  documentPath: string;
  /** Base address of the server it came from; '' for a document without one, and where something is withheld: it may name a clinic. */
  origin: string;
  /** JSON; null where it is too long to be read, and beyond the first ten of a type. */
  body: string | null;
  /** The number of resources that the reference may mean; more than one where it is too short. */
  meant: number;
  /** Its place among those, from 1. */
  nth: number;
}

/** Of an ambiguous beginning, and of a type without an id, no more are read. */
export const MAX_READ = 10;
/** Of a type without an id no more are named: a record of many persons has a Patient resource of each. */
const MAX_NAMED = 60;
/** A longer body is an attachment, or one Provenance of a whole record: it is read where nothing else is asked for. */
const MAX_BODY_LENGTH = 400_000;
const MAX_BODY_LENGTH_ALONE = 4_000_000;

const getMaxBodyLength = ([first, ...others]: readonly NamedReference[]): number =>
  others.length === 0 && first?.id !== null ? MAX_BODY_LENGTH_ALONE : MAX_BODY_LENGTH;

/**
 * `referenced (place, seq, reference, meant)`: the resources that the references mean, as far as the consent covers them. A
 * withheld resource is not found, and makes no beginning ambiguous.
 */
const selectReferenced = (access: RecordAccess, named: readonly NamedReference[]): Sql => sql`
  referenced as materialized (
    select place, "firstCharacter", "firstEntry", found.* from jsonb_to_recordset(${JSON.stringify(named.map(toWanted))}::jsonb)
      as wanted (place integer, type text, id text, "isMark" boolean, "firstCharacter" integer, "firstEntry" integer)
    cross join lateral (
      select r.seq, r.resource_type || '/' || r.fhir_id as reference, count(*) over () as meant,
        row_number() over (order by r.seq) as nth, "isMark"
      from resource r left join resource_label l on l.patient_id = ${access.patientId} and l.seq = r.seq
      where r.patient_id = ${access.patientId} and r.resource_type = wanted.type
        and (wanted.id is null or r.fhir_id = wanted.id
          or length(wanted.id) between 8 and 35 and length(r.fhir_id) = 36 and starts_with(lower(r.fhir_id), lower(wanted.id))
            and not exists (select from resource own where own.patient_id = ${access.patientId}
              and own.resource_type = wanted.type and own.fhir_id = wanted.id))
        and ${resourceIsCovered(access)}
      order by r.seq limit case when wanted.id is null then ${MAX_NAMED}::bigint else ${MAX_READ}::bigint end) found)`;

const toWanted = ({ type, id, isMark, from }: NamedReference, place: number): object => ({
  place,
  type,
  id,
  isMark,
  firstCharacter: from.character + 1,
  firstEntry: from.entry,
});

export const findReferenced = (access: RecordAccess, named: readonly NamedReference[]) =>
  toRecordQuery(
    access,
    sql<ReferencedResource>`
      with ${selectReferenced(access, named)}
      select place, r.category, reference, ${selectSimilarIds(access, sql`reference`)} as "similarIds",
        ${selectDocumentName(access, sql`r.document_path`)}, case when ${access.withheld} = 0 then r.origin else '' end as origin,
        case when nth <= ${MAX_READ} and length(r.body) <= ${getMaxBodyLength(named)} then r.body end as body, meant, nth,
        ${selectPublishedLabels('l')}
      from referenced join resource r on r.patient_id = ${access.patientId} and r.seq = referenced.seq
      left join resource_label l on l.patient_id = ${access.patientId} and l.seq = referenced.seq
      order by place, r.seq`,
  );

/** The name of a resource that another one refers to. */
export interface ReferencedName {
  reference: string;
  similarIds: SimilarIds;
  name: string | null;
  /** JSON, where it may say what stands against the resource (`findObjection`); null of most. */
  body: string | null;
}

const MAX_NAMES = 400;

/** Finds the resources that the bodies refer to, by their names, as far as the consent covers these. */
export const findReferencedNames = (access: RecordAccess, named: readonly NamedReference[]) =>
  toRecordQuery(
    access,
    sql<ReferencedName>`
      with ${selectReferenced(access, named)},
      target as (
        select distinct split_part(match[1], '/', 1) as type, split_part(match[1], '/', 2) as id
        from referenced join resource r on r.patient_id = ${access.patientId} and r.seq = referenced.seq and nth <= ${MAX_READ} and length(r.body) <= ${getMaxBodyLength(named)}
        cross join lateral regexp_matches(r.body, '"reference"\\s*:\\s*"([A-Z][A-Za-z]+/[A-Za-z0-9.-]{1,64})"', 'g') as match
        limit ${MAX_NAMES})
      select name.reference, ${selectSimilarIds(access, sql`name.reference`)} as "similarIds", name.name, name.body
      from target cross join lateral (
        select r.resource_type || '/' || r.fhir_id as reference, r.display as name,
          case when ${mayObject(sql`r.body`, OBJECTING_WORDS)} then r.body end as body
        from resource r left join resource_label l on l.patient_id = ${access.patientId} and l.seq = r.seq
        where r.patient_id = ${access.patientId} and r.resource_type = target.type and r.fhir_id = target.id
          and ${nameIsCovered(access)}) name`,
  );

/** The entry of a resource that was asked for; of a note without its text. */
export type ReferencedEntry = StoredEntry & { place: number };

/** Finds the entries of the resources: what other resources say of them, and which group they belong to. */
export const findReferencedEntries = (access: RecordAccess, named: readonly NamedReference[]) =>
  toRecordQuery(
    access,
    sql<ReferencedEntry>`
      with ${selectReferenced(access, named)}
      select place, entry.* from referenced
      cross join lateral (
        select ${selectEntryWithBeginning(access, 0)} from ${filterCovered(access)} and seq = referenced.seq and nth <= ${MAX_READ}
        order by ordinal limit 1) entry
      order by place`,
  );

/** What a document says: of one with several attachments each is a note. */
export interface ReferencedNote {
  place: number;
  title: string | null;
  /** From the character on that was asked for, as much as an answer may show; null where it can't be read. */
  text: string | null;
  /** Characters of the whole. */
  length: number | null;
  unreadable: string | null;
}

/** Characters of a note: of one reference as many as an answer holds, of several together fewer. */
const MAX_NOTE_LENGTH = 40_000;
const MAX_NOTE_LENGTH_OF_SEVERAL = 16_000;
const MAX_NOTES_OF_ONE = 50;

/** Finds the notes of the resources, in the order in which these hold them. */
export const findReferencedNotes = (access: RecordAccess, named: readonly NamedReference[]) =>
  toRecordQuery(
    access,
    sql<ReferencedNote>`
      with ${selectReferenced(access, named)}
      select place, note.* from referenced
      cross join lateral (
        select title, length(detail ->> 'text') as length, detail ->> 'unreadable' as unreadable, ordinal,
          substr(nullif(detail ->> 'text', ''), "firstCharacter", ${named.length === 1 ? MAX_NOTE_LENGTH : MAX_NOTE_LENGTH_OF_SEVERAL}) as text
        from ${filterRepresented(access)} and kind = 'note' and seq = referenced.seq and nth <= ${MAX_READ}
        order by ordinal limit ${MAX_NOTES_OF_ONE}) note
      order by place, ordinal`,
  );

/** No more members of one group are listed in one answer. */
export const MAX_GROUP_MEMBERS = 300;

export type GroupMember = StoredEntry & {
  place: number;
  /** How many entries the group has. */
  groupSize: number;
};

/** Kinds of which listings show what is the same as one row. */
export const GROUPED_KINDS = ['condition', 'medication', 'allergy', 'procedure', 'social_history'];

/**
 * Finds the entries that one row stands for: of measurements those of the same moment, of anything else those of the same
 * group, newest first. Only of a mark with a number, and of kinds that listings group: 350 visits may have one name. Two
 * references of one group open it once.
 */
export const findGroupMembers = (access: RecordAccess, named: readonly NamedReference[]) =>
  toRecordQuery(
    access,
    sql<GroupMember>`
      with ${selectReferenced(access, named)},
      origin as (
        select distinct on (place) place, "firstEntry", kind, group_key, day, time from referenced
        cross join lateral (
          select kind, group_key, day, time from ${filterCovered(access)} and seq = referenced.seq order by ordinal limit 1) entry
        where nth <= ${MAX_READ} and (kind = any (${GROUPED_KINDS}::text[]) or "isMark")
        order by place),
      opened as (
        select distinct on (kind, wanted_key) origin.*, case when kind in ('lab', 'vital') then concat(day, ' ', time) else group_key end as wanted_key
        from origin order by kind, wanted_key, place)
      select place, member.* from opened
      cross join lateral (
        select ${selectEntryWithBeginning(access, 0)}, count(*) over () as "groupSize"
        from ${filterReadable(access)} and kind = opened.kind
          and case when kind in ('lab', 'vital')
            then day is not distinct from opened.day and time is not distinct from opened.time
            else group_key = opened.group_key end
        order by day desc nulls last, time desc nulls last, seq desc, ordinal
        limit ${MAX_GROUP_MEMBERS} offset "firstEntry" - 1) member
      order by place, member.day desc nulls last, member.time desc nulls last, member.seq desc, member.ordinal`,
  );
