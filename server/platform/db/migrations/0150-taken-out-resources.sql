-- What a patient took out of a connected server's data, so that it comes back only when it has changed there: for as long as the source
-- exists, whatever its answers repeat.
create table taken_out_resource (
  patient_id uuid not null,
  source_id uuid not null,
  -- SHA-256 with the patient's id, of type and id at the source, and of its text, or of its content however it is spelled.
  resource_hash bytea not null,
  content_hash bytea not null,
  primary key (patient_id, source_id, resource_hash, content_hash)
);

create index taken_out_resource_of_source on taken_out_resource (source_id);
