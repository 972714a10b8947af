import type { ConsentRecordId, OrganizationId, PatientId, ProjectId } from '../../../../contract/brands.ts';
import { lastUsedAt, newestBlock, type ReadsRow } from '../../../platform/audit/reads.sql.ts';
import { sql } from '../../../platform/db/sql.ts';

/** The kinds that are noticed once for each event; a digest is due by time. */
export type NoticedKind = 'first_read' | 'unusual_volume' | 'unused_consent' | 'held_upload';

/** An organization whose log has blocks that were not counted yet. */
export const selectUncountedLogs = () => sql<{ organization_id: OrganizationId }>`
  select o.organization_id from organization o
  left join notice_progress p on p.organization_id = o.organization_id
  where ${newestBlock(sql`o.organization_id`)} > coalesce(p.block, 0)
  order by o.organization_id`;

/** Locks an organization's progress, so that one node counts its blocks, and selects what there is to count. */
export const lockProgress = (organizationId: OrganizationId) => sql<{ block: number; newest: number | null }>`
  insert into notice_progress (organization_id, block) values (${organizationId}, 0)
  on conflict (organization_id) do update set block = notice_progress.block
  returning block, ${newestBlock(sql`notice_progress.organization_id`)} as newest`;

export const advanceProgress = (organizationId: OrganizationId, block: number) => sql`
  update notice_progress set block = ${block} where organization_id = ${organizationId}`;

/** Adds to the counts; returns how often each of these readers has read in each of these hours by now. */
export const addReadCounts = (rows: readonly Omit<ReadsRow, 'first_at'>[]) => sql<Omit<ReadsRow, 'first_at'>>`
  insert into read_count as c (patient_id, reader, hour, reads)
  select * from unnest(${rows.map((row) => row.patient_id)}::uuid[], ${rows.map((row) => row.reader)}::text[],
    ${rows.map((row) => row.hour)}::timestamptz[], ${rows.map((row) => row.reads)}::integer[])
  on conflict (patient_id, reader, hour) do update set reads = c.reads + excluded.reads
  returning patient_id, reader, hour, reads`;

/** How often a client read in the hours of a time in which it read at all; null where there is no such hour. */
export const selectUsualReads = (
  { patientId, reader }: { patientId: PatientId; reader: string },
  { from, until }: { from: Date; until: Date },
) => sql<{ usual: number | null }>`
  select avg(reads)::float8 as usual from read_count
  where patient_id = ${patientId} and reader = ${reader} and hour >= ${from} and hour < ${until}`;

export interface NoticedEvent {
  patientId: PatientId;
  event: string;
  at: Date;
}

/** Notes events; returns those that were not noted before. */
export const insertNotices = (kind: NoticedKind, events: readonly NoticedEvent[]) => sql<{
  patient_id: PatientId;
  event: string;
  noticed_at: Date;
}>`
  insert into notice (patient_id, kind, event, noticed_at)
  select patient_id, ${kind}, event, noticed_at
  from unnest(${events.map((each) => each.patientId)}::uuid[], ${events.map((each) => each.event)}::text[],
    ${events.map((each) => each.at)}::timestamptz[]) as n(patient_id, event, noticed_at)
  on conflict (patient_id, kind, event) do nothing
  returning patient_id, event, noticed_at`;

/** Sums up a week of a patient's record, by reader. */
export const selectReadTotals = (patientId: PatientId, { from, until }: { from: Date; until: Date }) => sql<{
  reader: string;
  reads: number;
}>`
  select reader, sum(reads)::integer as reads from read_count
  where patient_id = ${patientId} and hour >= ${from} and hour < ${until}
  group by reader`;

export const deleteReadCounts = (before: Date) => sql`delete from read_count where hour < ${before}`;

export interface ConsentCursor {
  patientId: PatientId;
  projectId: ProjectId;
}

export interface OldConsentRow {
  patient_id: PatientId;
  project_id: ProjectId;
  consent_record_id: ConsentRecordId;
  last_used_at: Date | null;
}

/** A page of the consents in force that are older than a time, each with its last use. */
export const selectOldConsents = (
  { now, decidedBefore }: { now: Date; decidedBefore: Date },
  after: ConsentCursor,
  limit: number,
) => sql<OldConsentRow>`
  select c.patient_id, c.project_id, c.consent_record_id, ${lastUsedAt({
    organizationId: sql`pr.organization_id`,
    patientId: sql`c.patient_id`,
    projectId: sql`c.project_id`,
  })} as last_used_at
  from consent c join project pr on pr.project_id = c.project_id
  where (c.patient_id, c.project_id) > (${after.patientId}::uuid, ${after.projectId}::uuid)
    and c.consent_type = 'PATIENT_DIRECTED_DATA_EXCHANGE'
    and c.consent_status = 'OPTED_IN' and c.expires_at > ${now} and c.decided_at <= ${decidedBefore}
  order by c.patient_id, c.project_id limit ${limit}`;

/** The mails about the use of a record that were sent to a person, and what each was about. */
export const selectNotices = (patientId: PatientId) => sql<{
  kind: string;
  about: string;
  at: Date;
}>`
  select kind, event as about, noticed_at as at from notice where patient_id = ${patientId} order by noticed_at, kind, event`;
