import { createHash } from 'node:crypto';
import type { DecisionTerms } from '../../../contract/oauth/decision-terms.ts';
import { EVIDENCE_LIMITS, type DraftScreen } from '../../../contract/oauth/review-draft.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { countPngPixels } from '../../platform/kernel/png.ts';
import { invalidInput } from '../../platform/kernel/refusal.ts';
import type { ScreenshotRow } from './consent.sql.ts';

type Picture = Pick<DraftScreen, 'screen' | 'takenAt' | 'contentType' | 'data'>;

interface CaptureWindow {
  /** When the person began, by our clock. */
  since: Date;
  now: Date;
}

/** Validates the picture of a screen and returns it as a row; throws `invalid_input` for what is no image. */
export async function validateScreenshot(
  { screen, takenAt, contentType, data }: Picture,
  captureWindow: CaptureWindow,
): Promise<ScreenshotRow & { bytes: Buffer; pixels: number }> {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > EVIDENCE_LIMITS.bytes)
    throw invalidInput([{ path: 'data', message: `must have at most ${EVIDENCE_LIMITS.bytes} bytes` }]);
  const pixels = await countPngPixels(bytes);
  if (typeof pixels === 'string') throw invalidInput([{ path: 'data', message: pixels }]);
  return {
    screenshotId: generateId(),
    screen,
    takenAt: clampToWindow(new Date(takenAt), captureWindow),
    contentType,
    sha256: createHash('sha256').update(bytes).digest(),
    bytes,
    size: null,
    pixels,
  };
}

/** Clamps a time to the window in which the screen was shown: outside of it, the clock of the device is wrong. */
const clampToWindow = (at: Date, { since, now }: CaptureWindow): Date =>
  at < since ? since : at > now ? now : at;

/** Returns the hash of choices and words: equal for a picture and for the decision that the picture is of. */
export const hashTerms = (terms: DecisionTerms): Buffer =>
  createHash('sha256')
    .update(
      JSON.stringify([
        terms.studySnapshotId ?? null,
        terms.language,
        terms.consentDataResourceScopes?.toSorted() ?? null,
        terms.consentDataSensitivityScopes?.toSorted() ?? null,
        typeof terms.duration === 'string' ? terms.duration : new Date(terms.duration.until).toISOString(),
        terms.representative && [terms.representative.name, terms.representative.authority],
      ]),
    )
    .digest();
