-- A person sees where they are signed in, and ends one without the others: the id names a session to its owner, whose hash
-- never leaves. `device` is what the browser said of itself, in words.
alter table account_session add column session_id uuid not null default gen_random_uuid();
alter table account_session add column device text not null default '';

-- What happened to an account and concerns no organization: the owner alone reads it, and it is deleted with the account.
create table account_event (
  patient_id uuid not null,
  event_id uuid not null,
  at timestamptz not null,
  kind text not null check (kind in
    ('signed_in', 'signed_in_by_passkey', 'password_chosen', 'password_changed', 'session_ended')),
  device text not null,
  primary key (patient_id, event_id)
);
create index account_event_age on account_event (at);
