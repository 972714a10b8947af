-- Originals are kept compressed, about as they came in their archive: 2.3 MB that were sent had become 308 MB kept.
alter table document add column encoding text not null default 'identity' check (encoding in ('identity', 'deflate'));
