import { createHash } from 'node:crypto';
import { EVIDENCE_LIMITS, type InteractionDecision } from '../../../contract/oauth/interaction.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { invalidInput, Refusal, type FieldError } from '../../platform/kernel/refusal.ts';
import type { ScreenshotRow } from './consent.sql.ts';
import { countPngPixels } from './png.ts';

type Screenshot = InteractionDecision['screenshots'][number];

/** The screen on which a consent is given. */
const REVIEW_SCREEN = 'review';

/** For all images together: eight screens of a phone, three times as high as the display. */
const MAX_TOTAL_PIXELS = 100_000_000;

interface CaptureWindow {
  /** When the client made its request. */
  since: Date;
  now: Date;
}

/**
 * Validates the screens that a consent was given on and returns them as rows; throws `evidence_required` when the review is
 * missing and `invalid_input` for what is no image. Images are inflated one after the other, so that a decision occupies
 * one thread of the pool at most.
 */
export async function validateEvidence(
  screenshots: readonly Screenshot[],
  captureWindow: CaptureWindow,
): Promise<ScreenshotRow[]> {
  if (!screenshots.some(({ screen }) => screen === REVIEW_SCREEN)) {
    throw new Refusal(400, 'evidence_required', {
      detail: 'A consent needs the screens it is given on, the review among them.',
    });
  }
  return validateScreenshots(screenshots, captureWindow);
}

/** Validates what there is of the screens that a decision was made on; a no needs none. */
export async function validateScreenshots(
  screenshots: readonly Screenshot[],
  captureWindow: CaptureWindow,
): Promise<ScreenshotRow[]> {
  const rows = screenshots.map((screenshot) => toScreenshotRow(screenshot, captureWindow));
  const sizeErrors = findSizeErrors(rows);
  if (sizeErrors.length > 0) throw invalidInput(sizeErrors);
  let pixels = 0;
  for (const [index, { bytes }] of rows.entries()) {
    const found = await countPngPixels(bytes);
    if (typeof found === 'string') throw invalidInput([{ path: `screenshots[${index}]`, message: found }]);
    pixels += found;
    if (pixels > MAX_TOTAL_PIXELS) throw invalidInput([{ path: 'screenshots', message: TOO_MANY_PIXELS }]);
  }
  return rows;
}

const TOO_MANY_PIXELS = `must have at most ${MAX_TOTAL_PIXELS / 1e6} million pixels in all`;

function toScreenshotRow(
  { screen, takenAt, contentType, data }: Screenshot,
  captureWindow: CaptureWindow,
): ScreenshotRow {
  const bytes = Buffer.from(data, 'base64');
  const sha256 = createHash('sha256').update(bytes).digest();
  return {
    screenshotId: generateId(),
    screen,
    takenAt: clampToWindow(new Date(takenAt), captureWindow),
    contentType,
    sha256,
    bytes,
  };
}

/** Clamps a time to the window in which the screen was shown: outside of it, the clock of the device is wrong. */
const clampToWindow = (at: Date, { since, now }: CaptureWindow): Date =>
  at < since ? since : at > now ? now : at;

function findSizeErrors(rows: readonly ScreenshotRow[]): FieldError[] {
  const { bytes: maxBytes, totalBytes: maxTotalBytes } = EVIDENCE_LIMITS;
  const actualBytes = rows.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return [
    ...rows.flatMap(({ bytes }, index) =>
      bytes.length > maxBytes
        ? [{ path: `screenshots[${index}]`, message: `must have at most ${maxBytes} bytes` }]
        : [],
    ),
    ...(actualBytes > maxTotalBytes
      ? [{ path: 'screenshots', message: `must have at most ${maxTotalBytes} bytes in all` }]
      : []),
  ];
}
