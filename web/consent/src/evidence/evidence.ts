import type { Screenshot } from '../api/api.ts';
import { pictureOf } from './picture.ts';

/** Pictures of the screens that somebody decided on; in memory only, so that a reload forgets them. */
export interface Evidence {
  /** `of`: whose screen, in which request; a screen of anybody else is never among theirs. */
  take(of: string, screen: string): Promise<void>;
  taken(of: string): Promise<Screenshot[]>;
}

interface Picture {
  of: string;
  takenAt: string;
  image: Blob;
}

/** `page`: all that is seen. */
export function startEvidence(page: HTMLElement): Evidence {
  const pictures = new Map<string, Picture>();
  return {
    async take(of, screen) {
      pictures.delete(screen);
      const takenAt = new Date().toISOString();
      pictures.set(screen, { of, takenAt, image: await pictureOf(page) });
    },
    taken: async (of) =>
      Promise.all(
        [...pictures]
          .filter(([, picture]) => picture.of === of)
          .map(async ([screen, { takenAt, image }]) => ({
            screen,
            takenAt,
            contentType: 'image/png' as const,
            data: await base64Of(image),
          })),
      ),
  };
}

/** By a FileReader: a string of megabytes is too long for `btoa(String.fromCharCode(...bytes))`. */
function base64Of(image: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The picture cannot be read.')));
    reader.readAsDataURL(image);
  });
}
