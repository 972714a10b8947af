-- Entries are looked for by who is no patient, of whom there may be few, or none, among a million; reads by patients are not in it.
create index concurrently if not exists audit_by_staff on audit_entry (organization_id, actor_kind, entry_id) where actor_kind <> 'patient';
