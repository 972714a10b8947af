-- New passages wait in a list of at most 256 kB for the index of words, which then takes hundreds of them at once instead of
-- each word of each by itself. A search reads the list besides (0.2 ms of a full one). Where the table is partitioned, each
-- partition has an index of its own.
do $$
declare
  own regclass;
begin
  for own in
    select oid from pg_class where oid = 'passage_terms'::regclass and relkind = 'i'
    union all select relid from pg_partition_tree('passage_terms') where isleaf
  loop
    execute format('alter index %s set (fastupdate = on, gin_pending_list_limit = 256)', own);
  end loop;
end $$;
