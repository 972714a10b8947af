import { crc32, deflateSync } from 'node:zlib';
import type { HttpResponse } from './service.ts';
import type { TestBrowser } from './test-browser.ts';

/** One part of a PNG file. */
export function encodePngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(named.length + 8);
  chunk.writeUInt32BE(data.length);
  named.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(named), named.length + 4);
  return chunk;
}

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** `IHDR`; of 8 bits a sample, red, green and blue, unless `rest` says otherwise. */
export function encodePngHeader(width: number, height: number, rest = [8, 2, 0, 0, 0]): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  return encodePngChunk('IHDR', Buffer.concat([header, Buffer.from(rest)]));
}

/** Rows as they are deflated: a filter's number, then the pixels. `pixel`: one byte of all. */
export function buildPngRows(
  width: number,
  height: number,
  pixel: (at: number) => number = () => 0xee,
): Buffer {
  const row = 1 + 3 * width;
  const rows = Buffer.alloc(row * height);
  for (let at = 0; at < rows.length; at++) rows[at] = at % row === 0 ? 0 : pixel(at);
  return rows;
}

export const assemblePng = (...chunks: Buffer[]): Buffer =>
  Buffer.concat([PNG_SIGNATURE, ...chunks, encodePngChunk('IEND')]);

/** An image of that size, as a browser's canvas writes one. */
export const createPng = (width = 240, height = 240, pixel?: (at: number) => number): Buffer =>
  assemblePng(
    encodePngHeader(width, height),
    encodePngChunk('IDAT', deflateSync(buildPngRows(width, height, pixel))),
  );

const SMALL = createPng().toString('base64');

export interface Evidence {
  screen: string;
  takenAt: string;
  contentType: string;
  data: string;
}

/** A screen as the page sends it. */
export const buildScreenshot = (now: Date, more: Partial<Evidence> = {}): Evidence => ({
  screen: 'review',
  takenAt: now.toISOString(),
  contentType: 'image/png',
  data: SMALL,
  ...more,
});

/** What of a decision a picture of its review shows. */
const TERMS = [
  'studySnapshotId',
  'language',
  'consentDataResourceScopes',
  'consentDataSensitivityScopes',
  'duration',
  'representative',
];

/** The screens whose pictures say what they show. */
const REVIEWS = new Set(['review', 'review-short']);

export interface SentScreens {
  /** The pictures; by default small ones of the whole set. */
  screenshots?: readonly Evidence[];
  /** The decision that they are for. */
  decision?: Readonly<Record<string, unknown>>;
  /** Fields that each of them is sent with, such as the type of the consent. */
  fields?: object;
}

/** Sends pictures to a draft as the page does while they are seen; returns the answers. */
export async function sendScreens(
  browser: TestBrowser,
  url: string,
  { screenshots = listWholeSet(browser.now()), decision = {}, fields = {} }: SentScreens = {},
): Promise<HttpResponse[]> {
  const { person } = (await browser.get('/account/session')).body as { person: { email: string } | null };
  const shown = Object.fromEntries(Object.entries(decision).filter(([name]) => TERMS.includes(name)));
  const answers: HttpResponse[] = [];
  for (const screenshot of screenshots)
    answers.push(
      await browser.post(url, {
        confirmedAs: person?.email ?? 'nobody',
        ...fields,
        ...screenshot,
        ...(REVIEWS.has(screenshot.screen) && { shown }),
      }),
    );
  return answers;
}

export const listWholeSet = (now: Date): Evidence[] => [
  buildScreenshot(now, { screen: 'who-is-this' }),
  buildScreenshot(now),
];

/** The ids of what was kept. */
export const listIds = (answers: readonly HttpResponse[]): string[] =>
  answers.flatMap(({ status, body }) => (status === 200 ? [body.id as string] : []));
