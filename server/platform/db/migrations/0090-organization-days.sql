-- The bytes of a record's resources, and the version of the record that they were summed of: a job sums anew what changed.
alter table record_head add column body_bytes bigint;
alter table record_head add column body_bytes_version bigint;

-- What an organization counts by the day: how many patients were read, and what is stored.
create table organization_day (
  organization_id uuid not null,
  -- Of the organization's time zone when it was counted.
  day date not null,
  -- Nil: of all projects together, or of none.
  project_id uuid not null,
  -- active_patients: distinct patients whose records were read; record, original, evidence: bytes that were stored at the end of the
  -- day; log: bytes of the audit entries that were written on it.
  measure text not null check (measure in ('active_patients', 'record', 'original', 'evidence', 'log')),
  value bigint not null,
  primary key (organization_id, day, measure, project_id)
);
