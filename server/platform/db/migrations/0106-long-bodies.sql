-- Long bodies are stored as they are where lz4 is not there (the embedded engine, which does one thing at a time): compressing one of
-- 5 MB held up everybody else's calls for 0.14 of the 0.27 s that storing it took. Bodies of ordinary size are read and written in
-- less time too, and those of up to 4 KB stay in their row. Those that are stored stay as they are.
do $$
declare target text;
begin
  alter table resource alter column body set compression lz4;
exception when feature_not_supported then
  foreach target in array array['resource', 'resource_version', 'replaced_resource'] loop
    execute format('alter table %I alter column body set storage external', target);
    execute format('alter table %I set (toast_tuple_target = 4080)', target);
  end loop;
  alter table clinical_entry alter column detail set storage external;
end $$;
