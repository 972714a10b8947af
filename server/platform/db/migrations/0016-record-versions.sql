-- What a resource was before it was changed, so that the pages of one traversal show the record as it was at the first of
-- them: from `valid_from` until just before `valid_until`. Kept a day, which is as long as a traversal may take.
create table resource_before (
  patient_id uuid not null,
  seq bigint not null,
  valid_until timestamptz not null,
  valid_from timestamptz not null,
  resource_type text not null,
  fhir_id text not null,
  body text not null,
  -- As of `resource_needs`; -1 where it had not been looked at.
  needs integer not null,
  primary key (patient_id, seq, valid_until)
);
create index resource_before_expired on resource_before (valid_until);

-- A read by `Type/id` alone does not say whose it is: each shard looks into its index.
create index resource_by_fhir_id on resource (fhir_id, resource_type);
