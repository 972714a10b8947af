-- What patients are told about a project, one immutable row per version; the newest is shown.
create table project_version (
  project_id uuid not null references project,
  version integer not null,
  -- Of the consents that were given to this version.
  study_snapshot_id uuid not null unique,
  -- {"en": {"title", "purpose", "benefits", "risks"}, "es": {…}, "contact": {…}}
  content json not null,
  created_at timestamptz not null,
  primary key (project_id, version)
);

-- What the patient saw when they decided.
create table consent_screenshot (
  patient_id uuid not null,
  consent_record_id uuid not null,
  screenshot_id uuid not null,
  ordinal integer not null,
  screen text not null,
  taken_at timestamptz not null,
  content_type text not null,
  sha256 bytea not null,
  bytes bytea not null,
  primary key (patient_id, consent_record_id, screenshot_id)
);

-- The language of the page, the client it was about, and who signed for the patient, if somebody did:
-- {"name", "authority"}.
alter table consent_record add column language text;
alter table consent_record add column client_id text;
alter table consent_record add column client_name text;
alter table consent_record add column representative json;

-- Look-ups of consent records by what an organization knows of a patient.
create index enrollment_by_external_id on enrollment (organization_id, external_id) where external_id is not null;
-- By organization: nobody has checked a number, so what one organization says of a patient is no other's to find.
create table patient_phone (
  organization_id uuid not null,
  -- Digits and a leading plus sign.
  phone text not null,
  patient_id uuid not null,
  primary key (organization_id, phone, patient_id)
);
insert into patient_phone (organization_id, phone, patient_id)
select distinct e.organization_id, regexp_replace(p.phone, '[^0-9+]', '', 'g'), p.patient_id
from patient p join enrollment e on e.patient_id = p.patient_id
where p.phone ~ '[0-9]'
on conflict do nothing;
