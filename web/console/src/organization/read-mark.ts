import { MARK_SIDES, fitInto } from './fit-mark.ts';

/** Why a file is no mark. */
export type MarkFault = 'unreadable' | 'too_large';

/** What the service takes, in bytes. */
const MAX_BYTES = 64 * 1024;

/** A file this large is no small picture, and decoding it could take a while. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;

const DATA_URL = 'data:image/png;base64,';

/**
 * Draws a picture anew as a small square PNG, whatever the browser can decode, and returns it in base64: nothing of the file
 * but what is seen goes on. An SVG is not decoded.
 */
export async function readMark(file: File): Promise<{ image: string } | { fault: MarkFault }> {
  if (file.size > MAX_FILE_BYTES) return { fault: 'too_large' };
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return { fault: 'unreadable' };
  }
  for (const side of MARK_SIDES) {
    const image = draw(bitmap, side);
    if (image !== null && (image.length * 3) / 4 <= MAX_BYTES) return { image };
  }
  return { fault: 'too_large' };
}

function draw(bitmap: ImageBitmap, side: number): string | null {
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (context === null) return null;
  const { x, y, width, height } = fitInto(side, bitmap);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, x, y, width, height);
  const url = canvas.toDataURL('image/png');
  return url.startsWith(DATA_URL) ? url.slice(DATA_URL.length) : null;
}

/** The address of a picture that is not stored yet. */
export const toDataUrl = (image: string): string => DATA_URL + image;
