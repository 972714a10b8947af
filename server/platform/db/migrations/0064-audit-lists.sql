-- Lists of an organization's log by what they are narrowed to, in the order of the entries. What did not succeed is rare and
-- looked for by itself.
create index audit_by_action on audit_entry (organization_id, action, entry_id);
create index audit_by_actor on audit_entry (organization_id, actor_id, entry_id);
create index audit_by_client on audit_entry (organization_id, client, entry_id) where client is not null;
create index audit_by_project on audit_entry (organization_id, project_id, entry_id) where project_id is not null;
create index audit_refused on audit_entry (organization_id, entry_id) where outcome = 'refused';
create index audit_failed on audit_entry (organization_id, entry_id) where outcome = 'failed';

-- How far the service itself has verified an organization's log, and what it found the last time.
create table audit_verification (
  organization_id uuid primary key,
  verified_at timestamptz not null,
  -- The newest block that was found as it was signed, and its hash: the next verification goes on from there.
  block bigint not null,
  block_hash bytea not null,
  entries bigint not null,
  -- null: none.
  fault json
);
