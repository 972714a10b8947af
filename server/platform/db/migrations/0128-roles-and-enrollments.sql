-- Keys of the role developer, and what they do in the log.
alter table api_key drop constraint api_key_role_check;
alter table api_key add constraint api_key_role_check check (role in ('admin', 'researcher', 'developer'));
-- The partition that was the whole table has the check as its own.
do $$
declare
  part regclass;
begin
  for part in
    select conrelid::regclass from pg_constraint where conname = 'audit_entry_actor_kind_check' order by coninhcount
  loop
    execute format('alter table %s drop constraint if exists audit_entry_actor_kind_check', part);
  end loop;
end $$;
alter table audit_entry add constraint audit_entry_actor_kind_check
  check (actor_kind in ('patient', 'admin', 'researcher', 'developer', 'system', 'member')) not valid;
-- A person reads in their own log which passkeys came and went.
alter table account_event drop constraint account_event_kind_check;
alter table account_event add constraint account_event_kind_check check (kind in
  ('signed_in', 'signed_in_by_passkey', 'password_chosen', 'password_changed', 'session_ended', 'passkey_added', 'passkey_removed')) not valid;
-- As the organization wrote them, as name and address are: the person's own may be others.
alter table enrollment add column date_of_birth text;
alter table enrollment add column language text;
