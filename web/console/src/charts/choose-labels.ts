/** How wide a letter of an axis is at most, on average, and the space between two labels. */
export const LETTER_WIDTH = 7;
const LABEL_GAP = 16;

/** Of a scale of names what places their labels. */
interface Bands {
  (name: string): number | undefined;
  domain(): string[];
  step(): number;
  bandwidth(): number;
}

/** The names that the axis has space for, each whole: as many as stand beside each other, none beyond an edge. */
export function chooseLabels(x: Bands, width: number): string[] {
  const names = x.domain();
  const longest = Math.max(...names.map((name) => name.length)) * LETTER_WIDTH;
  const every = Math.max(1, Math.ceil((longest + LABEL_GAP) / x.step()));
  return names.filter((name, index) => {
    const center = (x(name) ?? 0) + x.bandwidth() / 2;
    const half = (name.length * LETTER_WIDTH) / 2;
    return index % every === 0 && center - half >= 0 && center + half <= width;
  });
}
