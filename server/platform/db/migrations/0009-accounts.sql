-- A person's account is a patient with a password; both come to be when they follow a link we mailed, so the address
-- of every account is confirmed.

-- Signed-in browsers. The cookie holds patient and secret; only the secret's SHA-256 is kept.
create table account_session (
  patient_id uuid not null,
  session_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (patient_id, session_hash)
);

-- Mailed links that set a password, by the SHA-256 of their secret. Before the first is used there is no patient.
create table account_link (
  link_hash bytea primary key,
  -- lower case
  email text not null,
  -- The authorization request to go on with.
  continue_with text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index account_link_by_email on account_link (email, created_at);

-- What the organization says a project is for, shown to the patient who decides.
alter table project add column purpose text;
