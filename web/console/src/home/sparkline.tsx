const WIDTH = 112;
const HEIGHT = 32;
const INSET = 2;

/** A small line without axes; its numbers stand beside it and in the table. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const highest = Math.max(1, ...values);
  const step = (WIDTH - 2 * INSET) / Math.max(1, values.length - 1);
  const points = values.map((value, index) => {
    const y = HEIGHT - INSET - (value / highest) * (HEIGHT - 2 * INSET);
    return `${(INSET + index * step).toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}
