-- An upload is taken out a part at a time. What the log and the event say of it at the end (the labels of all that it brought, and of
-- what changes) is known only before the first part.
alter table upload_batch add column removal jsonb;
