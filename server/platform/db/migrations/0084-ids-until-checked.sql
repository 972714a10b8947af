alter table audit_entry validate constraint audit_entry_until;
alter table webhook_event validate constraint webhook_event_until;
alter table webhook_attempt validate constraint webhook_attempt_until;
