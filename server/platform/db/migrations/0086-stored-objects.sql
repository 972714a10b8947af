-- Bytes that are in an object store outside of the database: archives until they are read, originals, pictures of decisions.
create table stored_object (
  patient_id uuid not null,
  -- Of an archive its batch; else it is derived from the patient and the content, so that a content is there once for each patient.
  object_id uuid not null,
  use text not null check (use in ('archive', 'original', 'draft', 'evidence')),
  -- Random: it says nothing of whom or of what.
  object_key text not null,
  -- What the object is encrypted under: without this row nobody can read it.
  content_key bytea not null,
  -- Before it was encrypted.
  size bigint not null,
  encoding text not null,
  stored_at timestamptz not null,
  primary key (patient_id, object_id)
);

-- Objects that are to be deleted. One that is about to be put stands here too, a day ahead, until a row refers to it.
create table object_deletion (
  object_key text primary key,
  due_at timestamptz not null,
  attempts integer not null default 0
);
create index object_deletion_due on object_deletion (due_at);

-- A picture is in its row, or it is an object, of so many bytes. A program that does not know objects cannot write a row without either.
alter table consent_screenshot add column size integer;
alter table consent_screenshot alter column bytes drop not null;
alter table consent_screenshot add constraint consent_screenshot_bytes check (bytes is not null or size is not null) not valid;
alter table draft_screenshot add column size integer;
alter table draft_screenshot alter column bytes drop not null;
alter table draft_screenshot add constraint draft_screenshot_bytes check (bytes is not null or size is not null) not valid;
