create table job (
  job_id uuid primary key,
  kind text not null,
  -- At most one job of a kind waits or runs for a key.
  unique_key text not null,
  payload json not null,
  run_at timestamptz not null,
  attempts integer not null default 0,
  state text not null default 'due' check (state in ('due', 'parked')),
  leased_by uuid,
  last_error text,
  created_at timestamptz not null,
  unique (kind, unique_key)
);
create index job_due on job (run_at) where state = 'due';
