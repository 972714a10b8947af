-- People of an organization who sign in to its console. One who was removed stays as a row: the audit log names members by
-- their id, and its readers want the name.
create table member (
  member_id uuid primary key,
  organization_id uuid not null references organization,
  -- lower case
  email text not null,
  name text not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'researcher', 'auditor')),
  -- null: every project of the organization.
  project_ids uuid[],
  password_hash text not null,
  -- What a session was begun with: each change of the password, the role or the factor makes a new one.
  credential_id uuid not null,
  -- The password was printed by a program; the first sign-in chooses another.
  must_choose_password boolean not null,
  -- RFC 6238, Base32: the service must compute codes of it, so it is no hash.
  totp_secret text,
  -- One that waits for its first code.
  totp_pending text,
  -- The time step of the last code that was accepted: no code is accepted twice (RFC 6238 §5.2).
  totp_step bigint,
  created_at timestamptz not null,
  last_signed_in_at timestamptz,
  removed_at timestamptz
);
-- Nobody names their organization when they sign in.
create unique index member_by_email on member (email) where removed_at is null;
create index member_of_organization on member (organization_id, created_at);
insert into member (member_id, organization_id, email, name, role, password_hash, credential_id, must_choose_password, created_at)
select gen_random_uuid(), organization_id, email, email, 'owner', password_hash, gen_random_uuid(), true, created_at
from console_member;
drop table console_member;

-- Signed-in browsers. The cookie holds id and secret; only the secret's SHA-256 is kept.
create table member_session (
  session_id uuid primary key,
  session_hash bytea not null,
  member_id uuid not null references member,
  credential_id uuid not null,
  device text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the member last proved to be present.
  confirmed_at timestamptz not null
);
create index member_session_of_member on member_session (member_id);
create index member_session_expired on member_session (expires_at);

-- SHA-256 of codes of 80 random bits, for whoever has lost the other factor; each is deleted with its use.
create table member_recovery_code (
  member_id uuid not null references member,
  code_hash bytea not null,
  primary key (member_id, code_hash)
);

-- Mailed or printed secrets by which somebody becomes a member, or a member chooses password and factor anew.
create table member_invitation (
  invitation_id uuid primary key,
  token_hash bytea not null unique,
  organization_id uuid not null references organization,
  -- lower case
  email text not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'researcher', 'auditor')),
  project_ids uuid[],
  -- The member who chooses anew; null: somebody becomes one.
  member_id uuid references member,
  invited_by_kind text not null,
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index member_invitation_of_organization on member_invitation (organization_id, created_at);
create index member_invitation_by_email on member_invitation (email);

alter table audit_entry drop constraint audit_entry_actor_kind_check;
alter table audit_entry add constraint audit_entry_actor_kind_check
  check (actor_kind in ('patient', 'admin', 'researcher', 'system', 'member'));
