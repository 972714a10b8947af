-- What a person has chosen on a review before they decide, for the browser they chose it in. It permits nothing.
create table review_draft (
  patient_id uuid not null,
  draft_id uuid not null,
  -- The authorization request, or the project and the consent that it asks for.
  subject text not null,
  browser_hash bytea not null,
  choices json,
  -- By the clock of the browser, which orders what it sends.
  changed_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (patient_id, draft_id),
  unique (patient_id, subject, browser_hash)
);
create index review_draft_expired on review_draft (expires_at);

-- Pictures of the screens that they have seen. They become evidence in the transaction of the decision, or nothing.
create table draft_screenshot (
  patient_id uuid not null,
  draft_id uuid not null,
  screen text not null,
  screenshot_id uuid not null,
  taken_at timestamptz not null,
  content_type text not null,
  sha256 bytea not null,
  bytes bytea not null,
  pixels integer not null,
  -- The built page that the picture is of, and the hash of the choices and words that it shows; null: it shows none.
  ui_hash text not null,
  shown_hash bytea,
  primary key (patient_id, draft_id, screen)
);

-- What the page sent with a decision, so that the same decision sent again is answered as the first time.
alter table oauth_request add column decision_key uuid;
alter table consent add column decision_key uuid;

-- Where the client of a grant was redirected to: an app that asks again from elsewhere is not the same to a person.
alter table oauth_grant add column redirect_host text;
