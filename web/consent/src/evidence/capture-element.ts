import { Refusal } from '../../../kit/http/refusal.ts';
import { MAX_SCREENSHOT_BYTES } from './screenshot-limits.ts';

/** Safari draws no canvas of more than 16,777,216 pixels, Chromium none that is taller than 16,384 (2026). */
const MAX_HEIGHT = 12_000;
const MAX_PIXELS = 16_000_000;

/** Each a fifth smaller in width and height than the last. */
const MAX_ATTEMPTS = 8;

/** Brings what draws, so that it is there when a person decides; 84 kB that the page itself does without. */
export const preloadCapture = (): void => void import('@zumer/snapdom').catch(() => undefined);

/**
 * An element as it stands, whole and not only what of it is in the window: in CSS pixels, smaller where that would be
 * more than the service takes. Refuses as the service would if there were none.
 */
export async function captureElement(element: HTMLElement): Promise<Blob> {
  try {
    return await renderPng(element);
  } catch {
    throw new Refusal(0, 'evidence_required');
  }
}

async function renderPng(element: HTMLElement): Promise<Blob> {
  const { snapdom } = await import('@zumer/snapdom');
  // The letters are the device's own. The ground is the body's, which is not in the picture. No `reconcile`: it writes
  // style attributes that our policy forbids, and lines break where they do on the screen without it.
  const backgroundColor = getComputedStyle(document.body).backgroundColor;
  const capture = await snapdom(element, { dpr: 1, embedFonts: false, backgroundColor });
  const { width, height } = element.getBoundingClientRect();
  let scale = Math.min(1, MAX_HEIGHT / height, Math.sqrt(MAX_PIXELS / (width * height)));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const image = await capture.toBlob({ format: 'png', dpr: 1, scale, backgroundColor });
    if (image.size > 0 && image.size <= MAX_SCREENSHOT_BYTES) return image;
    scale *= 0.8;
  }
  throw new Error('The picture stays too large.');
}
