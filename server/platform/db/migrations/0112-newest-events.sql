-- Events by what deliveries are looked for, newest first: read in the order of an index, one partition after another, until there
-- are enough. The planner takes an answer for one that is rare, and a type for one that is not; it would read and sort all
-- attempts, or all deliveries. Its settings are the functions' own.

-- Of which an attempt of the webhook came to an answer other than 2xx (webhook_attempt_answer).
create function newest_answered(organization uuid, webhook uuid, answer text, first_id text, before_id text, most bigint)
  returns setof text language plpgsql stable
  set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off set enable_hashagg = off
as $$
begin
  return query
    select distinct a.event_id from webhook_attempt a
    where a.organization_id = organization and a.webhook_id = webhook and a.fault is not null
      and case when a.status is null then a.fault
        when a.status between 200 and 599 then (a.status / 100)::text || 'xx' else 'malformed_answer' end = answer
      and a.event_id >= first_id and a.event_id < before_id
    order by a.event_id desc limit most;
end $$;

-- Of each of some types (webhook_event_type); so many of each.
create function newest_of_types(organization uuid, types text[], first_id text, before_id text, most bigint)
  returns setof text language plpgsql stable
  set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  one text;
begin
  foreach one in array types loop
    return query
      select v.event_id from webhook_event v
      where v.organization_id = organization and v.type = one and v.event_id >= first_id and v.event_id < before_id
      order by v.event_id desc limit most;
  end loop;
end $$;
