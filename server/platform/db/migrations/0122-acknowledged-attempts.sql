-- Deliveries are looked for by an acknowledgement: of a webhook that hardly ever gave one, all of them were read. Without the
-- organization, which the webhook implies, since each acknowledged attempt writes an entry.
create index concurrently if not exists webhook_attempt_acknowledged on webhook_attempt (webhook_id, event_id) where fault is null;
