-- Of whom is not among the most common values PostgreSQL expects the rows that those leave, which of a hundred patients is one
-- row where all of them are among these: then any join will do. With one of them there the others have what is left on average.
alter table resource alter column patient_id set statistics 1;
alter table resource_label alter column patient_id set statistics 1;
alter table resource_identifier alter column patient_id set statistics 1;
alter table resource_content alter column patient_id set statistics 1;
alter table resource_version alter column patient_id set statistics 1;
alter table batch_resource alter column patient_id set statistics 1;
alter table replaced_resource alter column patient_id set statistics 1;
alter table open_reference alter column patient_id set statistics 1;
alter table clinical_entry alter column patient_id set statistics 1;
alter table entry_context alter column patient_id set statistics 1;
alter table passage alter column patient_id set statistics 1;
alter table passage_use alter column patient_id set statistics 1;
