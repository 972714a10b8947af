-- The days of the care that a resource is about, as its own elements state them: the first and the last, both included; without
-- an end as long as it goes on, and all time where it states none. Beside the body, not derived from it in the statement: no
-- body is parsed when a record is read. `chartgate reindex` fills them in for resources from before.
alter table resource add column first_day date not null default '-infinity';
alter table resource add column last_day date not null default 'infinity';
alter table resource_version add column first_day date not null default '-infinity';
alter table resource_version add column last_day date not null default 'infinity';
