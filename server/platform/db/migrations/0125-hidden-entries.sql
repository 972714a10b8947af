-- Since when entries of what stays are hidden, until they are built anew, while an upload is taken out; null: none are.
alter table record_head add column hidden_since timestamptz;
