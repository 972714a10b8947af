-- Checks of the deployment that somebody of an organization asked for: the last one that ended, and the one that runs.
create table doctor_run (
  organization_id uuid not null,
  doctor_run_id uuid not null,
  started_at timestamptz not null,
  -- As the audit log names actors, and what they were called then.
  started_by_kind text not null,
  started_by text not null,
  started_by_name text,
  -- Null: it runs.
  finished_at timestamptz,
  -- Steps that are done.
  steps_done integer not null default 0,
  -- What they found, as it is on the wire: code and values, nothing of a person.
  findings jsonb not null default '[]',
  primary key (organization_id, doctor_run_id)
);
