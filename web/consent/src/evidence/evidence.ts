import type { Screenshot } from '../api.ts';
import { captureElement } from './capture-element.ts';

/** Pictures of the screens that somebody decided on; in memory only, so that a reload forgets them. */
export interface Evidence {
  /** `of`: whose screen, in which request; a screen of anybody else is never among theirs. */
  capture(owner: string, screen: string): Promise<void>;
  listScreenshots(owner: string): Promise<Screenshot[]>;
}

interface CapturedScreen {
  owner: string;
  takenAt: string;
  image: Blob;
}

/** `page`: all that is seen. */
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

/** By a FileReader: a string of megabytes is too long for `btoa(String.fromCharCode(...bytes))`. */
function encodeBase64(image: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The picture cannot be read.')));
    reader.readAsDataURL(image);
  });
}
