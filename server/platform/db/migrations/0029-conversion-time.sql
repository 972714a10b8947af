-- How long documents of a patient were converted in the present hour, so that no one patient keeps the converters busy.
create table conversion_time (
  patient_id uuid primary key,
  window_ends timestamptz not null,
  used_ms integer not null
);
