-- As newest_answered, of which an attempt of the webhook was acknowledged (webhook_attempt_acknowledged).
create function newest_acknowledged(organization uuid, webhook uuid, first_id text, before_id text, most bigint)
  returns setof text language plpgsql stable
  set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off set enable_hashagg = off
as $$
begin
  return query
    select distinct a.event_id from webhook_attempt a
    where a.organization_id = organization and a.webhook_id = webhook and a.fault is null
      and a.event_id >= first_id and a.event_id < before_id
    order by a.event_id desc limit most;
end $$;

-- As before, and of 2xx, which an attempt without a fault came to, and no other.
create or replace function newest_of_answers(organization uuid, webhook uuid, answers text[], first_id text, before_id text, most bigint)
  returns setof text language plpgsql stable
as $$
begin
  return query
    select distinct n.event_id from (
      select f.event_id from unnest(answers) one(answer)
      cross join lateral newest_answered(organization, webhook, one.answer, first_id, before_id, most) f(event_id)
      union all
      select k.event_id from newest_acknowledged(organization, webhook, first_id, before_id, most) k(event_id)
      where '2xx' = any(answers)) n;
end $$;
