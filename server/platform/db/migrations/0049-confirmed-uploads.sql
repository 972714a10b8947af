-- Uploads whose documents name another person than the record wait until the patient has answered "Is this you?".

alter table upload_batch drop constraint upload_batch_status_check;
alter table upload_batch add check (
  status in ('queued', 'processing', 'needs_confirmation', 'completed', 'completed_with_errors', 'failed'));
-- When an upload began to wait for the answer, and when the patient said yes, then or beforehand.
alter table upload_batch add column held_at timestamptz;
alter table upload_batch add column confirmed_at timestamptz;
-- The place in the line of a batch that waited for its answer; of others, `position`, which says as ever what is newer.
alter table upload_batch add column turn bigint;
-- How many persons an upload names that differ from the record; `batch_person` has the first of them.
alter table upload_batch add column persons_total integer not null default 0;

-- Whom an upload names, while the patient is asked about it.
create table batch_person (
  patient_id uuid not null,
  batch_id uuid not null,
  ordinal integer not null,
  name text,
  -- As precisely as it was written: YYYY, YYYY-MM or YYYY-MM-DD.
  birth_date text,
  sex text,
  -- The file in which they are named first.
  path text not null,
  -- What differs from the account and the record: name, birthDate, sex.
  differs text[] not null,
  primary key (patient_id, batch_id, ordinal)
);
