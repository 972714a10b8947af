import { AxisBottom, AxisLeft } from '@visx/axis';
import { GridRows } from '@visx/grid';
import { scaleLinear, scaleLog } from '@visx/scale';
import { LinePath } from '@visx/shape';
import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** What one kind of call costs at each size. */
export interface Series {
  name: string;
  points: readonly { size: number; ms: number }[];
}

export interface Plot {
  title: string;
  /** What grows: "resources of the record". */
  unit: string;
  series: readonly Series[];
}

const WIDTH = 760;
const HEIGHT = 380;
const MARGIN = { top: 48, right: 230, bottom: 52, left: 56 };
const INNER = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
/** Of Okabe and Ito; without colours lines differ by the names at their ends and by dashes. */
const STROKES = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56748c', '#a06a00', '#333333'];
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '12 4', '4 2', '1 4'];
/** Names at the ends of lines stand at least so far apart. */
const LABEL_HEIGHT = 15;
const TEXT = { fontFamily: 'system-ui, sans-serif', fontSize: 12, fill: '#222' };

/** Draws CPU-milliseconds of a call over a size that grows tenfold and more, as an SVG document. */
export function drawPlot({ title, unit, series }: Plot): string {
  const sizes = series.flatMap(({ points }) => points.map(({ size }) => size));
  const highest = Math.max(...series.flatMap(({ points }) => points.map(({ ms }) => ms)));
  const x = scaleLog({ domain: [Math.min(...sizes), Math.max(...sizes)], range: [0, INNER.width] });
  const y = scaleLinear({ domain: [0, highest * 1.05], range: [INNER.height, 0], nice: true });
  const ticks = [...new Set(sizes)];
  const label = { ...TEXT, textAnchor: 'middle' as const };
  const lines = series.map(({ name, points }, index) =>
    createElement(LinePath<Series['points'][number]>, {
      key: name,
      data: [...points],
      x: ({ size }) => x(size),
      y: ({ ms }) => y(ms),
      stroke: STROKES[index % STROKES.length],
      strokeWidth: 2,
      strokeDasharray: DASHES[index % DASHES.length],
    }),
  );
  return `${renderToStaticMarkup(
    createElement(
      'svg',
      { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img' },
      createElement('title', null, title),
      createElement('rect', { width: WIDTH, height: HEIGHT, fill: '#fff' }),
      createElement('text', { x: MARGIN.left, y: 24, ...TEXT, fontSize: 14, fontWeight: 600 }, title),
      createElement(
        'g',
        { transform: `translate(${MARGIN.left},${MARGIN.top})` },
        createElement(GridRows, { scale: y, width: INNER.width, stroke: '#ddd' }),
        createElement(AxisLeft, {
          scale: y,
          label: 'CPU-milliseconds a call',
          labelProps: label,
          tickLabelProps: { ...TEXT, textAnchor: 'end', dx: -4, dy: 4 },
        }),
        createElement(AxisBottom, {
          scale: x,
          top: INNER.height,
          label: unit,
          labelProps: label,
          tickValues: ticks,
          tickFormat: (size) => Number(size).toLocaleString('en'),
          tickLabelProps: { ...label },
        }),
        ...lines,
        ...drawNames(series, (ms) => y(ms)),
      ),
    ),
  )}\n`;
}

/** The name of each line at its end, moved apart where lines end close together. */
function drawNames(series: readonly Series[], toY: (ms: number) => number): ReactNode[] {
  const ends = series
    .map(({ name, points }, index) => ({ name, index, y: toY(points.at(-1)?.ms ?? 0) }))
    .toSorted((one, other) => other.y - one.y);
  let below = Number.POSITIVE_INFINITY;
  return ends.map(({ name, index, y }) => {
    below = Math.min(y, below - LABEL_HEIGHT);
    const fill = STROKES[index % STROKES.length];
    return createElement('text', { key: name, x: INNER.width + 10, y: below + 4, ...TEXT, fill }, name);
  });
}
