-- Until when all changes of a record have their labels; null: until the last one. While a batch is written, a consent that
-- leaves something out shows the state before it.
alter table record_head add column labeled_until timestamptz;
-- What readers go by while a resource is labeled anew: the labels that it had, until all of the record have their new ones;
-- -1 where it had none. null: those beside it.
alter table resource_label add column published_labels integer;
alter table resource_label add column published_redactions text;
