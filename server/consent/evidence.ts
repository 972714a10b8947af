import { createHash } from 'node:crypto';
import { EVIDENCE_LIMITS, type InteractionDecision } from '../../contract/interaction.ts';
import { newId } from '../kernel/ids.ts';
import { invalidInput, Refusal, type InputFault } from '../kernel/refusal.ts';
import type { ScreenshotRow } from './consent.sql.ts';
import { pixelsOfPng } from './png.ts';

type Screenshot = InteractionDecision['screenshots'][number];

/** The screen on which a consent is given. */
const REVIEW = 'review';

/** Of all images together: eight screens of a phone, thrice as high as they are shown. */
const MOST_PIXELS = 100_000_000;

interface Taken {
  /** When what was decided on was asked for. */
  since: Date;
  now: Date;
}

/**
 * The screens that a consent was given on, as they are kept; refuses what is missing (`evidence_required`) and what is
 * no image (`invalid_input`). One image after the other, so that one decision never takes more than one of the threads
 * that inflate.
 */
export async function checkEvidence(
  screenshots: readonly Screenshot[],
  taken: Taken,
): Promise<ScreenshotRow[]> {
  if (!screenshots.some(({ screen }) => screen === REVIEW)) {
    throw new Refusal(400, 'evidence_required', {
      detail: 'A consent needs the screens it is given on, the review among them.',
    });
  }
  const rows = screenshots.map((screenshot) => rowOf(screenshot, taken));
  const faults = faultsOfSize(rows);
  if (faults.length > 0) throw invalidInput(faults);
  let pixels = 0;
  for (const [place, { bytes }] of rows.entries()) {
    const found = await pixelsOfPng(bytes);
    if (typeof found === 'string') throw invalidInput([{ path: `screenshots[${place}]`, message: found }]);
    pixels += found;
    if (pixels > MOST_PIXELS) throw invalidInput([{ path: 'screenshots', message: TOO_MANY_PIXELS }]);
  }
  return rows;
}

const TOO_MANY_PIXELS = `must have at most ${MOST_PIXELS / 1e6} million pixels in all`;

function rowOf({ screen, takenAt, contentType, data }: Screenshot, taken: Taken): ScreenshotRow {
  const bytes = Buffer.from(data, 'base64');
  const sha256 = createHash('sha256').update(bytes).digest();
  return {
    screenshotId: newId(),
    screen,
    takenAt: within(new Date(takenAt), taken),
    contentType,
    sha256,
    bytes,
  };
}

/** It was seen between the request and now; what lies outside is a clock of the device that goes wrong. */
const within = (at: Date, { since, now }: Taken): Date => (at < since ? since : at > now ? now : at);

function faultsOfSize(rows: readonly ScreenshotRow[]): InputFault[] {
  const { bytes: most, allBytes } = EVIDENCE_LIMITS;
  const all = rows.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return [
    ...rows.flatMap(({ bytes }, place) =>
      bytes.length > most
        ? [{ path: `screenshots[${place}]`, message: `must have at most ${most} bytes` }]
        : [],
    ),
    ...(all > allBytes
      ? [{ path: 'screenshots', message: `must have at most ${allBytes} bytes in all` }]
      : []),
  ];
}
