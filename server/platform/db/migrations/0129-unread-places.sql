-- How many places of an upload were not read, without those of which nothing is lost; null where nobody counted them.
alter table upload_batch add column unread_places integer;
