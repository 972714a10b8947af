-- Whether a person is reminded of an upload that waits for their answer to "Is this you?".
alter table notice_settings add column held_upload boolean not null default true;
-- Few uploads wait, and the timer looks for them each hour.
create index upload_batch_held on upload_batch (held_at) where status = 'needs_confirmation';
