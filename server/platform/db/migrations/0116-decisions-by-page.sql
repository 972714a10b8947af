-- Which versions of the consent page an organization's decisions were made on, and the decisions of one of them.
create index concurrently if not exists consent_record_of_page
  on consent_record (organization_id, ui_hash, decided_at, consent_record_id);
