import { scaleBand, scaleLinear } from '@visx/scale';
import { type ChartProps, type Point, type Series, sumPoint } from './chart-types.ts';
import { MarkLines } from './mark-lines.tsx';
import { Marker, useShownPoint } from './marker.tsx';
import {
  type BandScale,
  describePoint,
  fillSeries,
  HEIGHT,
  Legend,
  MARGIN,
  Patterns,
  Plot,
  useFormatValue,
  usePatternId,
  useTicks,
  type ValueScale,
} from './plot.tsx';
import { useWidth } from './use-width.ts';

/** A bar that is wider looks like an area: as where there is one day yet. */
const MAX_BAR_WIDTH = 72;

/** Stacked bars as SVG. */
export function BarDrawing(props: ChartProps) {
  const { title, series, points, marks } = props;
  const format = useFormatValue(props);
  const patternId = usePatternId();
  const [element, width] = useWidth();
  const [shownPoint, show] = useShownPoint();
  const highest = Math.max(1, ...points.map((point) => sumPoint(point, series)));
  const y = scaleLinear({ domain: [0, highest], range: [HEIGHT - MARGIN.bottom, MARGIN.top], nice: true });
  const ticks = useTicks(y, format);
  const x = scaleBand({
    domain: points.map(({ label }) => label),
    range: [ticks.left, Math.max(width - MARGIN.right, ticks.left + 1)],
    padding: 0.25,
  });
  return (
    <div ref={element} className="chart-drawing">
      <Legend series={series} renderKey={createKey(patternId)} />
      {width > 0 && (
        <Plot {...{ title, width, x, y, ticks }}>
          <Patterns id={patternId} />
          {points.map((point) => (
            <Marker
              key={point.label}
              point={point}
              text={describePoint(point, series, format)}
              x={(x(point.label) ?? 0) - (x.step() - x.bandwidth()) / 2}
              width={x.step()}
              height={HEIGHT - MARGIN.bottom}
              onShow={show}
            >
              {stack(point.values, series, y).map(({ name, top, height }, index) => (
                <rect
                  key={name}
                  className={`chart-series-${index}`}
                  {...placeBar(x, point)}
                  y={top}
                  height={height}
                  fill={fillSeries(patternId, index)}
                />
              ))}
            </Marker>
          ))}
          <MarkLines marks={marks?.list} {...{ x, points, show }} />
        </Plot>
      )}
      {shownPoint}
    </div>
  );
}

/** Where the bar of a point stands within its band. */
function placeBar(x: BandScale, { label }: Point): { x: number; width: number } {
  const width = Math.min(x.bandwidth(), MAX_BAR_WIDTH);
  return { x: (x(label) ?? 0) + (x.bandwidth() - width) / 2, width };
}

/** Draws what the blocks of a series are filled with. */
const createKey = (patternId: string) => (index: number) => (
  <rect
    className={`chart-series-${index}`}
    x="0.5"
    y="0.5"
    width="15"
    height="15"
    rx="2"
    fill={fillSeries(patternId, index)}
  />
);

interface Block {
  name: string;
  top: number;
  height: number;
}

/** The blocks of a bar, from the axis up. */
function stack(values: Readonly<Record<string, number>>, series: readonly Series[], y: ValueScale): Block[] {
  let sum = 0;
  return series.map(({ name }) => {
    const bottom = y(sum);
    sum += values[name] ?? 0;
    return { name, top: y(sum), height: bottom - y(sum) };
  });
}
