import { scaleBand, scaleLinear } from '@visx/scale';
import { LinePath } from '@visx/shape';
import type { ChartProps, Point, Series } from './chart-types.ts';
import { MarkLines } from './mark-lines.tsx';
import { Marker, useShownPoint } from './marker.tsx';
import {
  describePoint,
  HEIGHT,
  Legend,
  MARGIN,
  Plot,
  useFormatValue,
  useTicks,
  type ValueScale,
} from './plot.tsx';
import { useWidth } from './use-width.ts';

/** Lines as SVG; each series has dashes of its own besides its colour. */
export function LineDrawing(props: ChartProps) {
  const { title, series, points, marks } = props;
  const format = useFormatValue(props);
  const [element, width] = useWidth();
  const [shownPoint, show] = useShownPoint();
  const measured = points.filter(({ isGap }) => !isGap);
  const y = scaleValues(measured, series);
  const ticks = useTicks(y, format);
  const x = scaleBand({
    domain: points.map(({ label }) => label),
    range: [ticks.left, Math.max(width - MARGIN.right, ticks.left + 1)],
  });
  const center = ({ label }: Point): number => (x(label) ?? 0) + x.bandwidth() / 2;
  return (
    <div ref={element} className="chart-drawing">
      <Legend series={series} renderKey={renderKey} />
      {width > 0 && (
        <Plot {...{ title, width, x, y, ticks }}>
          {series.map(({ name }, index) => (
            <LinePath
              key={name}
              className={`chart-line chart-series-${index}`}
              data={[...points]}
              defined={({ isGap }) => !isGap}
              x={center}
              y={({ values }) => y(values[name] ?? 0)}
              stroke="currentColor"
            />
          ))}
          {measured.map((point) => (
            <Marker
              key={point.label}
              point={point}
              text={describePoint(point, series, format)}
              x={x(point.label) ?? 0}
              width={x.bandwidth()}
              height={HEIGHT - MARGIN.bottom}
              onShow={show}
            >
              <Dots {...{ point, series, y }} x={center(point)} isAlone={isAlone(points, point)} />
            </Marker>
          ))}
          <MarkLines marks={marks?.list} {...{ x, points, show }} />
        </Plot>
      )}
      {shownPoint}
    </div>
  );
}

const scaleValues = (points: readonly Point[], series: readonly Series[]): ValueScale =>
  scaleLinear({
    domain: [0, Math.max(1, ...points.flatMap((point) => series.map(({ name }) => point.values[name] ?? 0)))],
    range: [HEIGHT - MARGIN.bottom, MARGIN.top],
    nice: true,
  });

const renderKey = (index: number) => (
  <path className={`chart-line chart-series-${index}`} d="M0 8h16" stroke="currentColor" />
);

interface DotsProps {
  isAlone: boolean;
  point: Point;
  series: readonly Series[];
  x: number;
  y: ValueScale;
}

/** Whether no line leads to a point: a line of one point is none. */
function isAlone(points: readonly Point[], point: Point): boolean {
  const at = points.indexOf(point);
  return [points[at - 1], points[at + 1]].every((beside) => beside === undefined || beside.isGap === true);
}

/** Where the lines are at a point; seen while it is pointed at, and where there is no line. */
const Dots = ({ point, series, x, y, isAlone: isSeen }: DotsProps) =>
  series.map(({ name }, index) => (
    <circle
      key={name}
      className={`chart-dot ${isSeen ? 'chart-dot-alone ' : ''}chart-series-${index}`}
      cx={x}
      cy={y(point.values[name] ?? 0)}
      r={3.5}
    />
  ));
