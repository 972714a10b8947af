-- What a token of POST /v1/auth/token or a session was obtained with: each change of a password or of a secret makes a new
-- id, and what names another one is refused. Times would not do: `iat` has whole seconds, and the clocks of nodes differ.

alter table patient_password add column credential_id uuid not null default gen_random_uuid();
alter table api_key add column credential_id uuid not null default gen_random_uuid();

alter table account_session add column credential_id uuid;
update account_session s set credential_id = w.credential_id
from patient_password w where w.patient_id = s.patient_id and s.created_at > w.changed_at;
delete from account_session where credential_id is null;
alter table account_session alter column credential_id set not null;
