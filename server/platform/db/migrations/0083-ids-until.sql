-- What grows with time goes into partitions by month (docs/scaling.md). A table that stands becomes the first of them, with all
-- ids up to the end of the next month: whoever still runs the version before writes into that one alone meanwhile. New rows are
-- checked to be of it from here on, those that are there by 0084, beside writers.
do $$
declare
  growing record;
  until timestamp;
  ms bigint;
  newest text;
  bound text;
begin
  for growing in
    select * from (values
      ('audit_entry', 'entry_id', 'audit_entry', false),
      ('webhook_event', 'event_id', 'webhook_event', true),
      ('webhook_attempt', 'event_id', 'webhook_event', true)) g(name, id, ids, is_ulid)
  loop
    -- A clock may have been ahead. One step on the primary key for each organization.
    execute format(
      'select max(n.id) from organization o cross join lateral (
         select t.%1$I::text as id from %2$I t where t.organization_id = o.organization_id order by t.%1$I desc limit 1) n',
      growing.id, growing.ids) into newest;
    until := date_trunc('month', now() at time zone 'UTC') + interval '2 months';
    loop
      ms := extract(epoch from until) * 1000;
      if growing.is_ulid then
        -- Crockford's Base32, ten digits of time.
        select 'evt_' || string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((ms >> (5 * n)) & 31)::integer + 1, 1), '' order by n desc)
          || '0000000000000000' into bound from generate_series(0, 9) n;
      else
        bound := regexp_replace(lpad(to_hex(ms), 12, '0'), '^(.{8})', '\1-') || '-7000-8000-000000000000';
      end if;
      exit when newest is null or newest < bound;
      until := until + interval '1 month';
    end loop;
    execute format('alter table %1$I add constraint %1$I_until check (%2$I < %3$L) not valid', growing.name, growing.id, bound);
  end loop;
end $$;
