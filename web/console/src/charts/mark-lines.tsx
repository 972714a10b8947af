import type { Mark, Point } from './chart-types.ts';
import { type BandScale, HEIGHT, MARGIN } from './plot.tsx';

/** How far to each side of a line its number is pointed at; what is below it belongs to the points. */
const REACH = 8;

interface MarkLinesProps {
  marks: readonly Mark[] | undefined;
  points: readonly Point[];
  x: BandScale;
  show: (text: string | null) => void;
}

/** Vertical lines where something happened, each with its number at the top; in words on hover and for screen readers. */
export function MarkLines({ marks = [], points, x, show }: MarkLinesProps) {
  const [first] = points;
  if (first === undefined) return null;
  const start = (x(first.label) ?? 0) - (x.step() - x.bandwidth()) / 2;
  return marks.map(({ position, short, text }) => {
    const at = start + position * x.step();
    return (
      <g
        key={text}
        className="chart-mark"
        role="img"
        aria-label={text}
        onMouseEnter={() => show(text)}
        onMouseLeave={() => show(null)}
      >
        <line x1={at} x2={at} y1={MARGIN.top} y2={HEIGHT - MARGIN.bottom} />
        <rect className="chart-hit" x={at - REACH} y={0} width={2 * REACH} height={MARGIN.top} />
        <text x={at} y={MARGIN.top - 2} textAnchor="middle" aria-hidden="true">
          {short}
        </text>
      </g>
    );
  });
}
