-- A yes to an app may add to what is shared for a shorter or longer time than the rest. Each part ends when the person said so: from then
-- on what no other part covers is left out. Null: all of it ends together, at expires_at.
alter table consent add column part_withheld integer[];
alter table consent add column part_ends timestamptz[];
-- The record that has these parts: a node of the version before writes the next decision and leaves them as they are.
alter table consent add column part_record_id uuid;
-- The same as it was decided: a list of scopes with an end each.
alter table consent_record add column parts json;
