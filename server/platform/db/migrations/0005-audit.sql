-- Append-only. Ids are time-ordered, so an organization's entries lie in the order they happened.
create table audit_entry (
  organization_id uuid not null,
  entry_id uuid not null,
  at timestamptz not null,
  -- dot-separated, lower case: mcp.tools_call, consent.recorded, test_patient.deleted
  action text not null,
  actor_kind text not null check (actor_kind in ('patient', 'admin', 'researcher', 'system')),
  actor_id text not null,
  client text,
  project_id uuid,
  patient_id uuid,
  consent_record_id uuid,
  outcome text not null check (outcome in ('success', 'refused', 'failed')),
  detail json not null,
  primary key (organization_id, entry_id)
);
create index audit_of_patient on audit_entry (organization_id, patient_id, entry_id) where patient_id is not null;
