import type { z } from 'zod';
import type { PatientId, ScreenshotId } from '../../../contract/brands.ts';
import type { DecisionTerms } from '../../../contract/oauth/decision-terms.ts';
import type { InteractionDecision } from '../../../contract/oauth/interaction.ts';
import {
  EVIDENCE_LIMITS,
  type DraftScreen,
  type ReviewDraft,
  type SavedDraft,
} from '../../../contract/oauth/review-draft.ts';
import { maybeOne, one, type Db, type Tx } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { invalidInput, Refusal } from '../../platform/kernel/refusal.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import { keepAsEvidence, keepObject, type PlacedObject } from '../../platform/objects/refer-to-objects.ts';
import type { ScreenshotRow } from './consent.sql.ts';
import * as statements from './draft.sql.ts';
import { hashTerms, validateScreenshot } from './evidence.ts';
import { derivePictureId, listPictureIds } from './pictures.ts';
import { releasePictures } from './release-pictures.ts';

export type { DraftKey } from './draft.sql.ts';

export interface DraftDeps {
  db: Db;
  clock: Clock;
  /** Where pictures are, or are not. */
  objects: Objects;
  /** The hash of the built page. */
  uiHash: string;
}

/** A draft, since when its screens can have been shown, and when it is deleted. */
export interface OpenDraft {
  key: statements.DraftKey;
  since: Date;
  expiresAt: Date;
}

/** For all pictures of a draft: eight screens of a phone, three times as high as the display. */
const MAX_PIXELS = 100_000_000;

/** Of one person, of which the newest are kept: each may hold some megabytes. */
const MAX_DRAFTS = 8;

/** Finds the draft of a person in a browser; null when there is none. It permits nothing. */
export async function findDraft(
  { db, clock, uiHash }: Omit<DraftDeps, 'objects'>,
  key: statements.DraftKey,
): Promise<ReviewDraft | null> {
  const row = await maybeOne(db, statements.selectDraft(key, uiHash, clock.now()));
  return (
    row && {
      choices: row.choices === null ? null : (JSON.parse(row.choices) as ReviewDraft['choices']),
      changedAt: row.changed_at?.toISOString() ?? null,
      screens: JSON.parse(row.screens) as ReviewDraft['screens'],
    }
  );
}

/** Keeps what was chosen. Returns the time of what is kept now, which is another where something newer was there. */
export async function saveDraft(
  { db, clock }: DraftDeps,
  { key, expiresAt }: Omit<OpenDraft, 'since'>,
  { choices, changedAt }: z.infer<typeof SavedDraft>,
): Promise<{ changedAt: string }> {
  const change = { choices: JSON.stringify(choices), changedAt: new Date(changedAt), expiresAt };
  return db.tx(
    async (tx) => {
      const { draft_id: draftId } = await openDraft(tx, { key, expiresAt }, clock.now());
      const kept = await one(tx, statements.updateChoices(key.patientId, draftId, change));
      return { changedAt: kept.changed_at.toISOString() };
    },
    { plans: 'kept' },
  );
}

/** Keeps the picture of a screen in place of the one before; it is evidence only once a decision takes it over. */
export async function addDraftScreen(
  { db, clock, objects, uiHash }: DraftDeps,
  { key, since, expiresAt }: OpenDraft,
  body: DraftScreen,
): Promise<{ id: ScreenshotId }> {
  const { patientId } = key;
  const now = clock.now();
  const picture = await validateScreenshot(body, { since, now });
  const shownHash = body.shown ? hashTerms(body.shown) : null;
  const write = (placed?: PlacedObject): Promise<void> =>
    db.tx(
      async (tx) => {
        const { draft_id: draftId } = await openDraft(tx, { key, expiresAt }, now);
        const [held, replaced] = await Promise.all([
          one(tx, statements.measureScreens(patientId, draftId, body.screen)),
          tx.query(statements.selectScreen(patientId, draftId, body.screen)),
        ]);
        requireSpace(held, picture);
        if (placed) await keepObject(tx, placed, now);
        const row = placed ? { ...picture, bytes: null, size: picture.bytes.length } : picture;
        await tx.query(statements.upsertScreen(patientId, draftId, { ...row, uiHash, shownHash }));
        await releasePictures(tx, replaced, now);
      },
      { plans: 'kept' },
    );
  const { sha256, bytes: content } = picture;
  const object = { patientId, objectId: derivePictureId(patientId, sha256), use: 'draft', content } as const;
  if (objects.takesNew) await objects.placeFor({ ...object, encoding: 'identity' }, write);
  else await write();
  return { id: picture.screenshotId };
}

/** Locks the draft, and begins it where there is none. */
async function openDraft(
  tx: Tx,
  { key, expiresAt }: Omit<OpenDraft, 'since'>,
  now: Date,
): Promise<statements.DraftRow> {
  const known = await maybeOne(tx, statements.lockDraft(key, now));
  if (known) return known;
  await releasePictures(tx, await tx.query(statements.deleteExpiredDraft(key, now)), now);
  await tx.query(statements.insertDraft(key, { draftId: generateId(), now, expiresAt }));
  await releasePictures(tx, await tx.query(statements.deleteOldDrafts(key.patientId, MAX_DRAFTS)), now);
  const begun = await maybeOne(tx, statements.lockDraft(key, now));
  // Begun twice at once, and crowded out by newer ones.
  if (!begun)
    throw new Refusal(409, 'draft_replaced', { detail: 'Newer drafts took the place of this one.' });
  return begun;
}

function requireSpace(
  held: { screens: number; bytes: number; pixels: number },
  { bytes, pixels }: { bytes: Buffer; pixels: number },
): void {
  const { screenshots, totalBytes } = EVIDENCE_LIMITS;
  const errorIf = (isOver: boolean, path: string, message: string) => (isOver ? [{ path, message }] : []);
  const errors = [
    ...errorIf(held.screens >= screenshots, 'screen', `must be one of at most ${screenshots}`),
    ...errorIf(
      held.bytes + bytes.length > totalBytes,
      'data',
      `must have at most ${totalBytes} bytes in all`,
    ),
    ...errorIf(
      held.pixels + pixels > MAX_PIXELS,
      'data',
      `must have at most ${MAX_PIXELS / 1e6} million pixels in all`,
    ),
  ];
  if (errors.length > 0) throw invalidInput(errors);
}

/** The pictures of a draft that is no more. */
export interface EndedDraft {
  patientId: PatientId;
  screens: statements.TakenScreenRow[];
  /** When something was last chosen; null: never. */
  changedAt: Date | null;
  /** Its time was over: its pictures are no evidence. */
  isExpired: boolean;
}

/**
 * Ends a draft in the transaction of the decision, which takes its pictures over. The lock comes before, in a statement of its
 * own, so that a picture that arrives meanwhile is seen.
 */
export async function endDraft(tx: Tx, key: statements.DraftKey, now: Date): Promise<EndedDraft> {
  const [draft, screens] = await Promise.all([
    maybeOne(tx, statements.lockDraft(key, now)),
    tx.query(statements.takeDraft(key)),
  ]);
  return {
    patientId: key.patientId,
    screens,
    changedAt: draft?.changed_at ?? null,
    isExpired: draft === null,
  };
}

interface NamedEvidence {
  draft: EndedDraft;
  uiHash: string;
  now: Date;
  /** The pictures that the decision names. */
  named: readonly ScreenshotId[];
}

/**
 * Refuses a consent whose page did not show what was chosen last (`choices_changed`): another tab may have taken something
 * out. A choice of the same page may still be on its way, so that what is kept may be older; undefined: the page did not say.
 */
function requireLastChoices({ changedAt }: EndedDraft, shown: string | null | undefined): void {
  if (shown === undefined || changedAt === null) return;
  if (shown === null || new Date(shown) < changedAt)
    throw new Refusal(409, 'choices_changed', {
      detail: 'Something else was chosen in another tab since the page was loaded.',
    });
}

/** The screen on which the person says who they are, and the one on which a consent is given. */
const IDENTITY_SCREEN = 'who-is-this';
const REVIEW_SCREEN = 'review';
const SHORT_REVIEW_SCREEN = 'review-short';

/** What a page decides, and which change of the draft it showed. */
type SentTerms = DecisionTerms & Pick<InteractionDecision, 'draftChangedAt'>;

/**
 * Takes the pictures of a consent over from the draft that it ended, in the transaction of the decision. Throws
 * `evidence_required` unless they are the whole set: who the person is, and a review that shows just these choices in these
 * words, all of the page as it is now. `requireShortForm` throws where the short form may not stand for the whole review;
 * without it there is none.
 */
export async function takeEvidence(
  tx: Tx,
  evidence: NamedEvidence,
  { terms, requireShortForm }: { terms: SentTerms; requireShortForm?: () => Promise<void> },
): Promise<ScreenshotRow[]> {
  requireLastChoices(evidence.draft, terms.draftChangedAt);
  const shownHash = hashTerms(terms);
  const rows = listNamed(evidence).filter(({ ui_hash: hash }) => hash === evidence.uiHash);
  const isShown = (review: string): boolean =>
    rows.some(({ screen, shown_hash: hash }) => screen === review && hash?.equals(shownHash) === true);
  const isShort = requireShortForm !== undefined && !isShown(REVIEW_SCREEN) && isShown(SHORT_REVIEW_SCREEN);
  if (!rows.some(({ screen }) => screen === IDENTITY_SCREEN) || !(isShort || isShown(REVIEW_SCREEN)))
    throw new Refusal(400, 'evidence_required', {
      detail:
        'A consent needs the pictures of its screens: who decides, and the review with what is decided.',
    });
  if (isShort) await requireShortForm();
  return takeOver(tx, evidence, rows);
}

/** Takes over what there is of the screens that a no was said on; it needs none. */
export const takeSeenScreens = (tx: Tx, evidence: NamedEvidence): Promise<ScreenshotRow[]> =>
  takeOver(tx, evidence, listNamed(evidence));

async function takeOver(
  tx: Tx,
  { draft: { patientId, screens }, now }: NamedEvidence,
  rows: readonly statements.TakenScreenRow[],
): Promise<ScreenshotRow[]> {
  await keepAsEvidence(tx, patientId, listPictureIds(patientId, rows));
  await releasePictures(tx, screens, now);
  return rows.map(toScreenshotRow);
}

/** Lists the pictures that a decision names, in the order in which the person saw the screens. */
const listNamed = ({ draft, named }: NamedEvidence): statements.TakenScreenRow[] =>
  draft.isExpired
    ? []
    : draft.screens
        .filter(({ screenshot_id: id }) => named.includes(id))
        .sort(
          (one, other) =>
            one.taken_at.getTime() - other.taken_at.getTime() ||
            (one.screenshot_id < other.screenshot_id ? -1 : 1),
        );

const toScreenshotRow = (row: statements.TakenScreenRow): ScreenshotRow => ({
  screenshotId: row.screenshot_id,
  screen: row.screen,
  takenAt: row.taken_at,
  contentType: row.content_type,
  sha256: row.sha256,
  bytes: row.bytes,
  size: row.size,
});

/** Deletes a draft with its pictures, whatever they hold. */
export const discardDraft = async (tx: Tx, key: statements.DraftKey, now: Date): Promise<void> =>
  releasePictures(tx, await tx.query(statements.deleteDraft(key)), now);

/** Deletes the drafts whose time is over. */
export async function purgeDrafts({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now();
  await db.tx(async (tx) => releasePictures(tx, await tx.query(statements.purgeDrafts(now)), now));
}
