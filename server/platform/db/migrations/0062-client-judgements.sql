-- An app, as an organization sees it. A client that registers itself gets another id each time, so that an app is not its
-- client id: it is the name that it gives itself, the document that describes it, and where its codes go.
create table client_app (
  organization_id uuid not null references organization,
  -- From the three columns below, so that the same app is the same row whenever it comes.
  app_id uuid not null,
  -- null: it registered itself.
  document_url text,
  -- The host that codes are sent to; null: a program on the patient's device.
  redirect_host text,
  client_name text,
  -- What a block may name that catches this app: `host:…` of the document and of the redirect, else `device:` and the name as
  -- it looks. The first is what a block of this app names.
  targets text[] not null,
  -- What it said about itself when it last asked: {clientUri, policyUri, tosUri, contacts}.
  about json,
  first_seen_at timestamptz not null,
  primary key (organization_id, app_id)
);
create index client_app_by_age on client_app (organization_id, first_seen_at, app_id);

-- What an organization thinks of an app: `app:` and its id is vouched for, a target of apps is blocked.
create table client_judgement (
  organization_id uuid not null references organization,
  target text not null,
  judgement text not null check (judgement in ('vouched', 'blocked')),
  note text not null,
  -- null: until somebody judges anew.
  judged_until timestamptz,
  -- The actor of the audit log.
  decided_by_kind text not null,
  decided_by text not null,
  decided_at timestamptz not null,
  primary key (organization_id, target)
);

alter table project add column only_vouched_apps boolean not null default false;

-- The app that the grant was given to. revoked_because: client_blocked too.
alter table oauth_grant add column app_id uuid;
create index oauth_grant_of_app on oauth_grant (organization_id, app_id);

-- Grants from before: of a documented client the redirect is no longer known, and is taken to go to its host.
create temporary table earlier_grant on commit drop as
select g.patient_id, g.grant_id, g.organization_id, g.created_at, g.client_name,
  case when g.client_id like 'https://%' then g.client_id end as document_url,
  case when g.client_id like 'https://%' then substring(g.client_id from '^https://([^/]+)')
    else substring(c.redirect_uris[1] from '^https://([^/:?]+)') end as redirect_host,
  c.about::text as about
from oauth_grant g left join oauth_client c on c.client_id::text = g.client_id;
alter table earlier_grant add column app_id uuid;
update earlier_grant set app_id = substring(encode(sha256(convert_to(
  coalesce(document_url, '') || E'\n' || coalesce(redirect_host, '') || E'\n' || coalesce(client_name, ''), 'UTF8')), 'hex') for 32)::uuid;
insert into client_app (organization_id, app_id, document_url, redirect_host, client_name, targets, about, first_seen_at)
select organization_id, app_id, min(document_url), min(redirect_host), min(client_name),
  case when min(redirect_host) is null
    then array['device:' || lower(regexp_replace(coalesce(min(client_name), ''), '[^[:alnum:]]', '', 'g'))]
    else array['host:' || min(redirect_host)] end,
  min(about)::json, min(e.created_at)
from earlier_grant e join organization using (organization_id) group by organization_id, app_id;
update oauth_grant g set app_id = e.app_id from earlier_grant e where e.patient_id = g.patient_id and e.grant_id = g.grant_id;
