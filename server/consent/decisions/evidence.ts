import { createHash } from 'node:crypto';
import { EVIDENCE_LIMITS, type InteractionDecision } from '../../../contract/oauth/interaction.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { invalidInput, Refusal, type FieldError } from '../../platform/kernel/refusal.ts';
import type { ScreenshotRow } from './consent.sql.ts';
import { countPngPixels } from './png.ts';

type Screenshot = InteractionDecision['screenshots'][number];

/** The screen on which a consent is given. */
const REVIEW_SCREEN = 'review';

/** Of all images together: eight screens of a phone, thrice as high as they are shown. */
const MAX_TOTAL_PIXELS = 100_000_000;

interface CaptureWindow {
  /** When what was decided on was asked for. */
  since: Date;
  now: Date;
}

/**
 * The screens that a consent was given on, as they are kept; refuses what is missing (`evidence_required`) and what is
 * no image (`invalid_input`). One image after the other, so that one decision never takes more than one of the threads
 * that inflate.
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

/** It was seen between the request and now; what lies outside is a clock of the device that goes wrong. */
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
