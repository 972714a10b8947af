/**
 * Finds the largest number up to `count` that fits, where every smaller one does too; 0 where none does. `first` is tried
 * before any other, then the double of what fits: where trying a large number costs much, and the answer is a small one.
 */
export function findLargest(count: number, fits: (count: number) => boolean, first?: number): number {
  let fitting = 0;
  let tooMany = count + 1;
  for (let next = Math.min(first ?? 0, count); fitting < next; next = Math.min(next * 2, count)) {
    if (!fits(next)) {
      tooMany = next;
      break;
    }
    fitting = next;
  }
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}
