import type { Screenshot } from '../api.ts';
import { captureElement } from './capture-element.ts';

/** Screenshots of the screens of a decision, in memory only: a reload drops them. */
export interface Evidence {
  /** `owner` names the person and the request: nobody else's screens are among theirs. */
  capture(owner: string, screen: string): Promise<void>;
  listScreenshots(owner: string): Promise<Screenshot[]>;
}

interface CapturedScreen {
  owner: string;
  takenAt: string;
  image: Blob;
}

/** `page` is the element that all screens are in. */
export function createEvidence(page: HTMLElement): Evidence {
  const captures = new Map<string, CapturedScreen>();
  return {
    async capture(owner, screen) {
      captures.delete(screen);
      const takenAt = new Date().toISOString();
      captures.set(screen, { owner, takenAt, image: await captureElement(page) });
    },
    listScreenshots: async (owner) =>
      Promise.all(
        [...captures]
          .filter(([, captured]) => captured.owner === owner)
          .map(async ([screen, { takenAt, image }]) => ({
            screen,
            takenAt,
            contentType: 'image/png' as const,
            data: await encodeBase64(image),
          })),
      ),
  };
}

/** Encodes with a FileReader: a string of megabytes is too long for `btoa(String.fromCharCode(...bytes))`. */
function encodeBase64(image: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The picture cannot be read.')));
    reader.readAsDataURL(image);
  });
}
