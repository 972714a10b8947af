-- A redirect host that ends in a dot (host.example.) is the same host, and is no longer taken: what was listed or judged by that
-- name goes by the host's. An app keeps its id, which grants name. What a block then catches, the program ends and logs.
update client_app set redirect_host = rtrim(redirect_host, '.'),
  targets = array(select distinct rtrim(target, '.') from unnest(targets) as target)
where redirect_host like '%.';
-- Of two blocks of a host the longer one counts; null is longest.
update client_judgement k
set judged_until = case when j.judged_until is not null then greatest(k.judged_until, j.judged_until) end
from client_judgement j
where j.target like 'host:%.' and j.organization_id = k.organization_id and k.target = rtrim(j.target, '.')
  and k.judged_until is not null;
delete from client_judgement j
where j.target like 'host:%.' and exists (
  select from client_judgement k where k.organization_id = j.organization_id and k.target = rtrim(j.target, '.'));
update client_judgement set target = rtrim(target, '.') where target like 'host:%.';
