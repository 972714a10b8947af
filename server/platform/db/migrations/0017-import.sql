-- Batches that no patient uploaded: fetched from a connected FHIR server.
alter table upload_batch add column source_id uuid;
-- Base address of the server that ids without an absolute fullUrl are from, or ''.
alter table upload_batch add column origin text not null default '';

-- From now on a record's time is that of its newest change; references that were rewritten later did not move it.
update record_head h
set last_synchronized_at = greatest(last_synchronized_at, (select max(last_updated) from resource r where r.patient_id = h.patient_id));
