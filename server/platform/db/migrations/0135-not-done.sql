-- How many of the entries record what did not take place (`not-done`, `cancelled`), not yet (`planned`, `unfinished`), or are
-- statements (`stated`). Null: none, or written before this migration or by a node of the version before; then all count as done.
alter table record_holding add column not_done jsonb;
