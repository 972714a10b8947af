const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ['days', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];

/** "12 min 3 s": the two largest units. */
export function formatDuration(seconds: number): string {
  let rest = Math.round(Math.abs(seconds));
  const first = UNITS.findIndex(([, size]) => rest >= size);
  if (first === -1) return '0 s';
  const parts = UNITS.slice(first, first + 2).map(([name, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return { name, count };
  });
  return parts.flatMap(({ name, count }) => (count === 0 ? [] : [`${count} ${name}`])).join(' ');
}

export const formatAge = (seconds: number): string =>
  seconds < 0 ? `${formatDuration(seconds)} from now` : `${formatDuration(seconds)} ago`;
