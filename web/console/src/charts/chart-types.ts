/** One of the things that a chart compares, such as "delivered" and "failed". */
export interface Series {
  /** The name of its values in a point. */
  name: string;
  label: string;
}

/** A moment or a name on the chart's axis, with a value for each series. */
export interface Point {
  /** What the axis says there, such as a day. */
  label: string;
  values: Readonly<Record<string, number>>;
  /** Nothing was measured there: a gap in a line, and no zero. */
  isGap?: boolean;
  /** The filtered list behind it, below /console. */
  link?: { to: string; search?: Readonly<Record<string, string>> };
}

/** Something that happened, such as a change that may explain what is drawn after it: a vertical line. */
export interface Mark {
  /** Where it stands: the number of its point, and how far into the point, such as 2.5. */
  position: number;
  /** What it is called on the drawing, such as "1". */
  short: string;
  /** What it is, in words, with its time. */
  text: string;
}

export interface ChartProps {
  /** Names the chart, for everybody. */
  title: string;
  /** Its title stands above it already, as that of the section around it. */
  isTitled?: boolean;
  /** Heads the first column of the table: "Day", "App". */
  axis: string;
  series: readonly Series[];
  points: readonly Point[];
  formatValue?: (value: number) => string;
  /** In their order, at most one a point. */
  marks?: { title: string; list: readonly Mark[] };
}

export const sumPoint = ({ values }: Point, series: readonly Series[]): number =>
  series.reduce((sum, { name }) => sum + (values[name] ?? 0), 0);
