-- Mailed links that give an account another address: to the new one, where the person asked for it under the password that is still
-- in force, or back to the former one, where somebody else may have. By the SHA-256 of their secret.
create table email_change (
  link_hash bytea primary key,
  patient_id uuid not null,
  -- The address that the account gets; lower case.
  email text not null,
  -- The password under which it was asked for; null: the link restores the address before.
  credential_id uuid,
  -- Of the page on which it was asked for.
  language text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

alter table account_event drop constraint account_event_kind_check;
alter table account_event add constraint account_event_kind_check check (kind in
  ('signed_in', 'signed_in_by_passkey', 'password_chosen', 'password_changed', 'session_ended', 'passkey_added', 'passkey_removed',
    'email_changed', 'email_restored')) not valid;
