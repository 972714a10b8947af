-- Which bytes of a resource belong to another category than its own (a diagnosis that a visit names), and what a consent must
-- cover for each: `start end labels` in bytes of the body, separated by semicolons. Left out where the consent does not.
alter table resource_label add column redactions text;
alter table resource_version add column redactions text;
