-- As newest_of_types, of which an attempt of the webhook came to one of some answers other than 2xx; so many of each. An event
-- of which attempts came to several is there once. The version before asks newest_answered, for one answer.
create function newest_of_answers(organization uuid, webhook uuid, answers text[], first_id text, before_id text, most bigint)
  returns setof text language plpgsql stable
as $$
begin
  return query
    select distinct n.event_id from unnest(answers) one(answer)
    cross join lateral newest_answered(organization, webhook, one.answer, first_id, before_id, most) n(event_id);
end $$;

-- As newest_of_types: of each of some projects (webhook_event_project); so many of each.
create function newest_of_projects(organization uuid, projects uuid[], first_id text, before_id text, most bigint)
  returns setof text language plpgsql stable
  set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  one uuid;
begin
  foreach one in array projects loop
    return query
      select v.event_id from webhook_event v
      where v.organization_id = organization and v.project_id = one and v.event_id >= first_id and v.event_id < before_id
      order by v.event_id desc limit most;
  end loop;
end $$;
