-- Reads are looked for by a tool of which there may be few, or none, among a million; each call of one is in one place.
create index concurrently if not exists audit_by_tool
  on audit_entry (organization_id, (detail->>'tool'), entry_id) where action = 'mcp.tools_call';
-- Deliveries are looked for by what an attempt came to, of which there may be none among many that failed otherwise: the
-- class of the answer's status, or why there was no answer.
create index concurrently if not exists webhook_attempt_answer on webhook_attempt (organization_id, webhook_id,
  (case when status is null then fault
    when status between 200 and 599 then (status / 100)::text || 'xx' else 'malformed_answer' end), event_id)
  where fault is not null;
