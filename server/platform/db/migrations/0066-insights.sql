-- What needs somebody of an organization is looked for at each visit of the console.
create index webhook_delivery_exhausted on webhook_delivery (organization_id, webhook_id, changed_at) where state = 'exhausted';
create index source_sync_troubled on source_sync (source_id, state)
  where state in ('failed', 'ambiguous_match', 'needs_organization_review');
create index upload_batch_failed on upload_batch (received_at) where status = 'failed';

-- What organizations use, by the hour: nodes count in memory and add their counts every ten seconds. No column names a person.
create table usage_hour (
  organization_id uuid not null,
  hour timestamptz not null,
  -- tool_call, fhir_read, upload, mail, delivery
  kind text not null,
  -- The tool, the endpoint, the type of event: what was used.
  name text not null,
  -- Nil: of no project.
  project_id uuid not null,
  -- The OAuth client; '': none.
  client text not null,
  outcome text not null check (outcome in ('success', 'refused', 'failed')),
  count bigint not null,
  duration_ms_sum bigint not null,
  -- How many took up to 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000 ms, and longer.
  duration_buckets bigint[] not null check (cardinality(duration_buckets) = 12),
  primary key (organization_id, hour, kind, name, project_id, client, outcome)
);
