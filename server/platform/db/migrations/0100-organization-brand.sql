-- How patients recognize an organization: a colour, `#rrggbb`, from which those of both schemes are derived; null: the
-- service's own.
alter table organization add column accent_color text;

-- Its mark, a PNG that is validated and holds nothing but the image. By its hash, which is its address.
create table organization_mark (
  organization_id uuid primary key references organization,
  hash text not null,
  png bytea not null
);
create index organization_mark_by_hash on organization_mark (hash);
