-- Tables of the patient family carry patient_id first in every key, so that they can be distributed by it.

create table patient (
  patient_id uuid primary key,
  -- The organization a test patient belongs to; null for a real person, who belongs to none.
  test_organization_id uuid,
  email text not null,
  first_name text not null,
  last_name text not null,
  date_of_birth text,
  phone text,
  language text,
  created_at timestamptz not null
);
create index patient_of_test_organization on patient (test_organization_id, created_at, patient_id)
  where test_organization_id is not null;

create table patient_password (
  patient_id uuid primary key,
  password_hash text not null,
  changed_at timestamptz not null
);

-- Lookup by what a person types; lower case.
create table patient_email (
  email text primary key,
  patient_id uuid not null
);

create table enrollment (
  patient_id uuid not null,
  project_id uuid not null,
  organization_id uuid not null,
  external_id text,
  created_at timestamptz not null,
  primary key (patient_id, project_id)
);
create index enrollment_of_organization on enrollment (organization_id, project_id, patient_id);
