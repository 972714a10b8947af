import type { PatientId } from '../../../../contract/brands.ts';
import { sql } from '../../../platform/db/sql.ts';

export interface SettingsRow {
  first_read: boolean;
  unusual_volume: boolean;
  unused_consent: boolean;
  held_upload: boolean;
  weekly_digest: boolean;
}

export const selectSettings = (patientId: PatientId) => sql<SettingsRow>`
  select first_read, unusual_volume, unused_consent, held_upload, next_digest_at is not null as weekly_digest
  from notice_settings where patient_id = ${patientId}`;

/** Sets what a person wants; a digest that is wanted already keeps its time. */
export const upsertSettings = (
  patientId: PatientId,
  { digestAt, ...wanted }: Omit<SettingsRow, 'weekly_digest'> & { digestAt: Date | null },
) => sql`
  insert into notice_settings (patient_id, first_read, unusual_volume, unused_consent, held_upload, next_digest_at)
  values (${patientId}, ${wanted.first_read}, ${wanted.unusual_volume}, ${wanted.unused_consent}, ${wanted.held_upload},
    ${digestAt})
  on conflict (patient_id) do update set
    first_read = excluded.first_read, unusual_volume = excluded.unusual_volume, unused_consent = excluded.unused_consent,
    held_upload = excluded.held_upload,
    next_digest_at = case when excluded.next_digest_at is null then null
      else coalesce(notice_settings.next_digest_at, excluded.next_digest_at) end`;

/** Claims digests whose time has come, each once however many nodes look, and sets the next: whole weeks later. */
export const claimDueDigests = (now: Date, limit: number) => sql<{ patient_id: PatientId; until: Date }>`
  with due as (
    select patient_id, next_digest_at from notice_settings where next_digest_at <= ${now}
    order by next_digest_at limit ${limit}
    for update skip locked)
  update notice_settings s
  set next_digest_at = due.next_digest_at
    + interval '7 days' * (1 + floor(extract(epoch from ${now}::timestamptz - due.next_digest_at) / 604800))
  from due where s.patient_id = due.patient_id
  returning s.patient_id, due.next_digest_at as until`;
