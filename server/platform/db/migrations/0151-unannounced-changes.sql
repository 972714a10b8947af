-- What readers see of a record since a run gave resources other labels, until it ends and those who may read, or could, are
-- notified: labels before and after, each pair once. null: nothing.
alter table record_head add column unannounced_changes jsonb;
-- When the Person above the record last was another one, but for a Patient that came or changed: by the labels that a consent
-- has to cover to see the difference. null: never.
alter table record_head add column person_changes jsonb;
