import { AxisBottom, AxisLeft } from '@visx/axis';
import { GridRows } from '@visx/grid';
import { PatternCircles, PatternLines } from '@visx/pattern';
import type { scaleBand, scaleLinear } from '@visx/scale';
import { type ReactNode, useId } from 'react';
import { formatNumber, NUMBER_LOCALES } from '../../../kit/format-number.ts';
import { useLanguage } from '../words/use-words.ts';
import type { ChartProps, Point, Series } from './chart-types.ts';
import { chooseLabels, LETTER_WIDTH } from './choose-labels.ts';

export const HEIGHT = 240;
export const MARGIN = { top: 12, right: 8, bottom: 28 };

export type BandScale = ReturnType<typeof scaleBand<string>>;
export type ValueScale = ReturnType<typeof scaleLinear<number>>;

interface PlotProps {
  title: string;
  width: number;
  x: BandScale;
  y: ValueScale;
  ticks: Ticks;
  children: ReactNode;
}

/** The values of the axis at the left, what it says there, and the width that this takes. */
interface Ticks {
  values: readonly number[];
  texts: ReadonlyMap<number, string>;
  left: number;
}

const MIN_LEFT = 48;
const TICK_GAP = 14;

export function useTicks(y: ValueScale, format: (value: number) => string): Ticks {
  const shorten = useShortening();
  // Everything that is counted is whole.
  const values = y.ticks(4).filter(Number.isInteger);
  const texts = new Map(values.map((value) => [value, shorten(format(value), value)]));
  const longest = Math.max(...[...texts.values()].map((text) => text.length));
  return { values, texts, left: Math.max(MIN_LEFT, longest * LETTER_WIDTH + TICK_GAP) };
}

/** Axes and grid around what is drawn; the numbers are in the points and the table. */
export function Plot({ title, width, x, y, ticks: { values, texts, left }, children }: PlotProps) {
  const shown = chooseLabels(x, width);
  return (
    <svg className="chart-plot" width={width} height={HEIGHT} role="group" aria-label={title}>
      <GridRows scale={y} left={left} width={width - left - MARGIN.right} tickValues={[...values]} />
      <AxisLeft
        scale={y}
        left={left}
        tickValues={[...values]}
        hideAxisLine
        hideTicks
        tickFormat={(value) => texts.get(Number(value)) ?? ''}
      />
      <AxisBottom scale={x} top={HEIGHT - MARGIN.bottom} tickValues={shown} hideTicks />
      {children}
    </svg>
  );
}

/** What the margin holds. */
const MAX_TICK_LENGTH = 6;

/** Returns the function that rounds a tick whose text would be cut off: 120,000 as 120K. */
function useShortening(): (text: string, value: number) => string {
  const { language } = useLanguage();
  const compact = new Intl.NumberFormat(NUMBER_LOCALES[language], {
    notation: 'compact',
    maximumFractionDigits: 1,
  });
  return (text, value) =>
    text.length > MAX_TICK_LENGTH && /^[\d.,\s]+$/.test(text) ? compact.format(value) : text;
}

/** How the marks of a series are filled: each by colour and by pattern. */
export const fillSeries = (id: string, index: number): string =>
  index === 0 ? 'currentColor' : `url(#${id}${index})`;

/** The patterns of the series after the first, which is plain, each in its colour: a pattern has the colour of where it stands. */
export function Patterns({ id }: { id: string }) {
  const line = { width: 7, height: 7, stroke: 'currentColor', strokeWidth: 2.5 };
  return (
    <>
      <g className="chart-series-1">
        <PatternLines {...line} id={`${id}1`} orientation={['diagonal']} />
      </g>
      <g className="chart-series-2">
        <PatternCircles width={7} height={7} fill="currentColor" id={`${id}2`} radius={2} complement />
      </g>
      <g className="chart-series-3">
        <PatternLines {...line} id={`${id}3`} orientation={['horizontal']} />
      </g>
      <g className="chart-series-4">
        <PatternCircles width={6} height={6} fill="currentColor" id={`${id}4`} radius={1.6} />
      </g>
      <g className="chart-series-5">
        <PatternLines {...line} id={`${id}5`} orientation={['vertical']} />
      </g>
    </>
  );
}

/** An id that a `url(#…)` may hold. */
export const usePatternId = (): string => `p${useId().replace(/\W/g, '')}`;

/** "Nov 23: delivered 12, failed 3". */
export const describePoint = (
  { label, values }: Point,
  series: readonly Series[],
  format: (value: number) => string,
): string =>
  `${label}: ${series.map(({ name, label: text }) => `${text} ${format(values[name] ?? 0)}`).join(', ')}`;

export function useFormatValue({ formatValue }: ChartProps): (value: number) => string {
  const { language } = useLanguage();
  return formatValue ?? ((value) => formatNumber(value, language));
}

/** What each series looks like. */
export function Legend({
  series,
  renderKey,
}: {
  series: readonly Series[];
  /** Within 16 by 16. */
  renderKey: (index: number) => ReactNode;
}) {
  if (series.length < 2) return null;
  return (
    <ul className="chart-legend">
      {series.map(({ name, label }, index) => (
        <li key={name}>
          <svg className={`chart-key chart-series-${index}`} viewBox="0 0 16 16" aria-hidden="true">
            {renderKey(index)}
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}
