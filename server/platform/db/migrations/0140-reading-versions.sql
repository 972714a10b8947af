-- The number of the rules (server/clinical/store/reading-version.ts) by which all resources of a record were last read; null: earlier
-- ones, or by a program that does not say. The service reads such records anew, one after another.
alter table record_head add column read_version integer;
