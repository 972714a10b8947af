-- The zone of the days that an organization counts in: a name of the IANA database; null: UTC.
alter table organization add column time_zone text;
