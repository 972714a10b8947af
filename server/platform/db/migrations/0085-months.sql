-- Each table becomes the first partition of one of the same name, with the same columns, checks and indexes, so that a statement
-- of the version before finds all it knew. No row is read: the check of 0083 says what the bound of a partition would.
-- Partitions of months are made ahead by the program (server/platform/db/months.ts). No DEFAULT one: a row in it would forbid
-- its month's own, and making or taking away any would read it under a lock.
do $$
declare
  grown text;
  head text;
  key text;
  bound text;
  found record;
  definitions text[];
begin
  foreach grown in array array['audit_entry', 'webhook_event', 'webhook_attempt'] loop
    head := grown || '_first';
    select (regexp_match(pg_get_constraintdef(oid), '''([^'']+)'''))[1] into bound
      from pg_constraint where conrelid = grown::regclass and conname = grown || '_until';
    select pg_get_constraintdef(oid) into key from pg_constraint where conrelid = grown::regclass and contype = 'p';
    definitions := '{}';
    for found in
      select c.relname as name, pg_get_indexdef(x.indexrelid) as definition, x.indisprimary as is_key
      from pg_index x join pg_class c on c.oid = x.indexrelid where x.indrelid = grown::regclass
    loop
      if not found.is_key then definitions := definitions || found.definition; end if;
      execute format('alter index %I rename to %I', found.name, head || substr(found.name, strpos(found.name, '_')));
    end loop;
    execute format('alter table %I rename to %I', grown, head);
    execute format('create table %I (like %I including defaults including constraints including storage) partition by range (%I)',
      grown, head, case when grown = 'audit_entry' then 'entry_id' else 'event_id' end);
    execute format('alter table %I drop constraint %I', grown, grown || '_until');
    execute format('alter table %I add constraint %I %s', grown, grown || '_pkey', key);
    for i in 1 .. cardinality(definitions) loop
      execute definitions[i];
    end loop;
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', grown, head, bound);
    execute format('alter table %I drop constraint %I', head, grown || '_until');
  end loop;
end $$;
