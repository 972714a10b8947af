import type { PatientId, ScreenshotId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';
import { latestNow } from '../../platform/db/store-clock.ts';
import type { ScreenshotRow } from './consent.sql.ts';

/** Whose draft it is, of what, and in which browser: nobody else's is ever found. */
export interface DraftKey {
  patientId: PatientId;
  subject: string;
  browserHash: Buffer;
}

export interface DraftRow {
  draft_id: string;
  /** JSON; null: nothing was chosen yet. */
  choices: string | null;
  changed_at: Date | null;
  created_at: Date;
}

const isDraft = ({ patientId, subject, browserHash }: DraftKey) => sql`
  d.patient_id = ${patientId} and d.subject = ${subject} and d.browser_hash = ${browserHash}`;

/** Pictures of another build of the page are none of what the person sees now. */
export const selectDraft = (key: DraftKey, uiHash: string, now: Date) => sql<DraftRow & { screens: string }>`
  select d.draft_id, d.choices::text as choices, d.changed_at, d.created_at,
    (select coalesce(json_agg(json_build_object('id', s.screenshot_id, 'screen', s.screen) order by s.screenshot_id), '[]')::text
      from draft_screenshot s
      where s.patient_id = ${key.patientId} and s.draft_id = d.draft_id and s.ui_hash = ${uiHash}) as screens
  from review_draft d
  where ${isDraft(key)} and d.expires_at > ${latestNow(now)}`;

export const lockDraft = (key: DraftKey, now: Date) => sql<DraftRow>`
  select d.draft_id, d.choices::text as choices, d.changed_at, d.created_at
  from review_draft d where ${isDraft(key)} and d.expires_at > ${latestNow(now)} for update`;

export const insertDraft = (
  key: DraftKey,
  draft: { draftId: string; now: Date; expiresAt: Date },
) => sql<DraftRow>`
  insert into review_draft (patient_id, draft_id, subject, browser_hash, created_at, expires_at)
  values (${key.patientId}, ${draft.draftId}, ${key.subject}, ${key.browserHash}, ${draft.now}, ${draft.expiresAt})
  on conflict (patient_id, subject, browser_hash) do nothing`;

/** Keeps what was chosen last: what comes late, from before it, changes nothing. */
export const updateChoices = (
  patientId: PatientId,
  draftId: string,
  change: { choices: string; changedAt: Date; expiresAt: Date },
) => sql<{ changed_at: Date }>`
  update review_draft set
    choices = case when coalesce(changed_at < ${change.changedAt}, true) then ${change.choices}::json else choices end,
    changed_at = greatest(changed_at, ${change.changedAt}), expires_at = ${change.expiresAt}
  where patient_id = ${patientId} and draft_id = ${draftId}
  returning changed_at`;

/** How much a draft holds besides the picture of one screen. */
export const measureScreens = (patientId: PatientId, draftId: string, besides: string) => sql<{
  screens: number;
  bytes: number;
  pixels: number;
}>`
  select count(*)::int as screens, coalesce(sum(coalesce(size, length(bytes))), 0)::int as bytes,
    coalesce(sum(pixels), 0)::int as pixels
  from draft_screenshot
  where patient_id = ${patientId} and draft_id = ${draftId} and screen <> ${besides}`;

/** The picture of a screen that another one will replace. */
export const selectScreen = (patientId: PatientId, draftId: string, screen: string) => sql<GoneScreenRow>`
  select patient_id, sha256, bytes is null as is_object from draft_screenshot
  where patient_id = ${patientId} and draft_id = ${draftId} and screen = ${screen}`;

export const upsertScreen = (
  patientId: PatientId,
  draftId: string,
  picture: ScreenshotRow & { pixels: number; uiHash: string; shownHash: Buffer | null },
) => sql`
  insert into draft_screenshot (patient_id, draft_id, screen, screenshot_id, taken_at, content_type, sha256, bytes, size, pixels,
    ui_hash, shown_hash)
  values (${patientId}, ${draftId}, ${picture.screen}, ${picture.screenshotId}, ${picture.takenAt}, ${picture.contentType},
    ${picture.sha256}, ${picture.bytes}, ${picture.size}, ${picture.pixels}, ${picture.uiHash}, ${picture.shownHash})
  on conflict (patient_id, draft_id, screen) do update set screenshot_id = excluded.screenshot_id,
    taken_at = excluded.taken_at, content_type = excluded.content_type, sha256 = excluded.sha256, bytes = excluded.bytes,
    size = excluded.size, pixels = excluded.pixels, ui_hash = excluded.ui_hash, shown_hash = excluded.shown_hash`;

/** A picture that was deleted. */
export interface GoneScreenRow {
  patient_id: PatientId;
  sha256: Buffer;
  is_object: boolean;
}

/** A picture that was deleted with all that a decision takes over of it. */
export interface TakenScreenRow extends GoneScreenRow {
  screenshot_id: ScreenshotId;
  screen: string;
  taken_at: Date;
  content_type: 'image/png';
  /** null: it is an object. */
  bytes: Buffer | null;
  size: number | null;
  ui_hash: string;
  shown_hash: Buffer | null;
}

/** Finds which of these contents drafts of the patient have. */
export const selectContents = (patientId: PatientId, hashes: readonly Buffer[]) => sql<{ sha256: Buffer }>`
  select distinct sha256 from draft_screenshot where patient_id = ${patientId} and sha256 = any(${hashes}::bytea[])`;

const deleteDraftScreens = (key: DraftKey) => sql`
  with gone as (delete from review_draft d where ${isDraft(key)} returning d.draft_id)
  delete from draft_screenshot s using gone where s.patient_id = ${key.patientId} and s.draft_id = gone.draft_id`;

export const deleteDraft = (key: DraftKey) => sql<GoneScreenRow>`
  ${deleteDraftScreens(key)} returning s.patient_id, s.sha256, s.bytes is null as is_object`;

/** Deletes the draft and returns its pictures. */
export const takeDraft = (key: DraftKey) => sql<TakenScreenRow>`
  ${deleteDraftScreens(key)}
  returning s.patient_id, s.sha256, s.bytes is null as is_object, s.screenshot_id, s.screen, s.taken_at, s.content_type, s.bytes,
    s.size, s.ui_hash, s.shown_hash`;

export const deleteExpiredDraft = (key: DraftKey, now: Date) => sql<GoneScreenRow>`
  with gone as (delete from review_draft d where ${isDraft(key)} and d.expires_at <= ${latestNow(now)} returning d.draft_id)
  delete from draft_screenshot s using gone where s.patient_id = ${key.patientId} and s.draft_id = gone.draft_id
  returning s.patient_id, s.sha256, s.bytes is null as is_object`;

/** Deletes all but the newest drafts of a patient, so that nobody fills the store by beginning reviews. */
export const deleteOldDrafts = (patientId: PatientId, kept: number) => sql<GoneScreenRow>`
  with gone as (
    delete from review_draft where patient_id = ${patientId} and draft_id in (
      select draft_id from review_draft where patient_id = ${patientId}
      order by created_at desc, draft_id offset ${kept})
    returning draft_id)
  delete from draft_screenshot s using gone where s.patient_id = ${patientId} and s.draft_id = gone.draft_id
  returning s.patient_id, s.sha256, s.bytes is null as is_object`;

export const purgeDrafts = (now: Date) => sql<GoneScreenRow>`
  with gone as (delete from review_draft where expires_at <= ${now} returning patient_id, draft_id)
  delete from draft_screenshot s using gone where s.patient_id = gone.patient_id and s.draft_id = gone.draft_id
  returning s.patient_id, s.sha256, s.bytes is null as is_object`;
