/** The sizes of a mark that are tried, until one is small enough; the first is sharp on every screen. */
export const MARK_SIDES = [256, 192, 128, 96] as const;

interface Size {
  width: number;
  height: number;
}

/** Where a picture stands in a square: as large as it can be, in the middle, in its own proportions. */
export function fitInto(side: number, { width, height }: Size): Size & { x: number; y: number } {
  const scale = side / Math.max(width, height);
  const drawn = { width: Math.max(1, width * scale), height: Math.max(1, height * scale) };
  return { ...drawn, x: (side - drawn.width) / 2, y: (side - drawn.height) / 2 };
}
