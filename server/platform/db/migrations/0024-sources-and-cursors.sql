-- A source serves real patients, or test patients only.
alter table record_source add column serves_test_patients boolean not null default false;

-- Set with the first batch that a connected server sent: the consents of test patients leave out more then.
alter table patient add column has_fetched_records boolean not null default false;

-- A match that name, birth date or address contradict waits for the organization.
alter table source_sync drop constraint source_sync_state_check;
alter table source_sync add constraint source_sync_state_check check (state in (
  'waiting', 'running', 'up_to_date', 'no_match', 'ambiguous_match', 'needs_organization_review', 'failed', 'paused'));

-- Random secrets of the service, from which every node derives the same keys: `cursor` encrypts the positions in paging links.
create table service_secret (
  name text primary key,
  secret bytea not null,
  created_at timestamptz not null
);
