-- An upload is found by its id alone, which whoever was given it puts into the search of the console.
create index concurrently if not exists upload_batch_by_id on upload_batch (batch_id);
