import { Refusal } from '../../../kit/http/refusal.ts';
import { MAX_SCREENSHOT_BYTES } from './screenshot-limits.ts';
import './capture-element.css';

/** Safari draws no canvas of more than 16,777,216 pixels, Chromium none that is taller than 16,384 (2026). */
const MAX_HEIGHT = 12_000;
const MAX_PIXELS = 16_000_000;

/** Each attempt is a fifth smaller in width and height than the last. */
const MAX_ATTEMPTS = 8;

/**
 * The organization's mark goes into the picture as it is: what is made smaller first is compared by style attributes, which our
 * policy forbids. The library reads this, though it no longer describes it; a test would see the refusal.
 */
const AS_IT_IS = { compress: false } as const;

/** Loads the library that draws before a person decides; the page does without its 84 kB until then. */
export const preloadCapture = (): void => void import('@zumer/snapdom').catch(() => undefined);

/**
 * Draws a whole element, visible or not, as a PNG in CSS pixels, scaled down where that exceeds the service's limit. What is
 * private is not in it. Throws the refusal that the service answers without a screenshot.
 */
export async function captureElement(element: HTMLElement): Promise<Blob> {
  try {
    return await renderPng(element);
  } catch {
    throw new Refusal(0, 'evidence_required');
  }
}

/**
 * Takes what is marked `data-private` out of the layout while it works: those who asked see the picture, and what depends on the
 * record stays with the person. The library leaves such elements out too, but then it either leaves a gap of their size or lays
 * out the rest by the sizes of before, and a gap, a row or the height of the picture says what stood there.
 */
async function withoutPrivateParts<T>(element: HTMLElement, work: () => Promise<T>): Promise<T> {
  const setPictured = (isPictured: boolean): void => {
    const { bottom } = element.getBoundingClientRect();
    element.toggleAttribute('data-pictured', isPictured);
    // The button that was pressed stands below what comes and goes, and stays where it is: not every browser sees to that.
    scrollBy({ top: element.getBoundingClientRect().bottom - bottom, behavior: 'instant' });
  };
  setPictured(true);
  try {
    return await work();
  } finally {
    setPictured(false);
  }
}

async function renderPng(element: HTMLElement): Promise<Blob> {
  const { snapdom } = await import('@zumer/snapdom');
  // The fonts are the device's own. The background is the body's, which is not in the picture. No `reconcile`: it writes
  // style attributes that our policy forbids, and lines break where they do on the screen without it.
  const backgroundColor = getComputedStyle(document.body).backgroundColor;
  const { capture, width, height } = await withoutPrivateParts(element, async () => {
    const { width, height } = element.getBoundingClientRect();
    const capture = await snapdom(element, { dpr: 1, embedFonts: false, backgroundColor, ...AS_IT_IS });
    return { capture, width, height };
  });
  let scale = Math.min(1, MAX_HEIGHT / height, Math.sqrt(MAX_PIXELS / (width * height)));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const image = await capture.toBlob({ format: 'png', dpr: 1, scale, backgroundColor });
    if (image.size > 0 && image.size <= MAX_SCREENSHOT_BYTES) return image;
    scale *= 0.8;
  }
  throw new Error('The picture stays too large.');
}
