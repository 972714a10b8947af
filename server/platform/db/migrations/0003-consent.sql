-- One immutable row per decision.
create table consent_record (
  patient_id uuid not null,
  consent_record_id uuid not null,
  organization_id uuid not null,
  project_id uuid not null,
  consent_type text not null,
  consent_status text not null check (consent_status in ('OPTED_IN', 'OPTED_OUT')),
  decided_at timestamptz not null,
  expires_at timestamptz not null,
  consent_stats json not null,
  study_snapshot_id text not null,
  consent_config_snapshot_id text,
  consent_ui_flow text not null,
  ui_hash text not null,
  primary key (patient_id, consent_record_id)
);

-- The decision in force: the newest record of each patient, project and consent type.
create table consent (
  patient_id uuid not null,
  project_id uuid not null,
  consent_type text not null,
  consent_record_id uuid not null,
  consent_status text not null,
  expires_at timestamptz not null,
  decided_at timestamptz not null,
  primary key (patient_id, project_id, consent_type)
);

-- From a record's id to its patient.
create table consent_route (
  consent_record_id uuid primary key,
  patient_id uuid not null
);
