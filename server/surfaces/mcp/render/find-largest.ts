/** Finds the largest number up to `count` that fits, where every smaller one does too; 0 where none does. */
export function findLargest(count: number, fits: (count: number) => boolean): number {
  let fitting = 0;
  let tooMany = count + 1;
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}
