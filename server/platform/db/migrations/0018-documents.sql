-- What a kept document is by its bytes, whatever its name says; null for those that were kept before anybody looked.
alter table document add column content_type text;
-- Newest first, as they are listed.
create index document_listed on document (patient_id, received_at, document_id);
