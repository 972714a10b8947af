import { type ComponentType, lazy, Suspense, useId, useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { Table } from '../../../kit/table.tsx';
import { saveFile } from '../kit/save-file.ts';
import { PageLink } from '../kit/page-link.tsx';
import { Skeleton } from '../kit/states.tsx';
import { writeCsv } from '../list/write-csv.ts';
import { useLanguage } from '../words/use-words.ts';
import type { ChartProps, Mark, Point } from './chart-types.ts';
import './chart.css';

/** What draws is loaded when a chart is on a page. */
const BarDrawing = lazy(async () => ({ default: (await import('./bar-drawing.tsx')).BarDrawing }));
const RowDrawing = lazy(async () => ({ default: (await import('./row-drawing.tsx')).RowDrawing }));
const LineDrawing = lazy(async () => ({ default: (await import('./line-drawing.tsx')).LineDrawing }));

/** Stacked bars, such as deliveries by outcome and day. */
export const BarChart = (props: ChartProps) => <Chart {...props} Drawing={BarDrawing} />;

/** A bar for each of some names, such as the answers of an endpoint. */
export const RowChart = (props: ChartProps) => <Chart {...props} Drawing={RowDrawing} />;

/** Lines over time, such as how many consents are in force. */
export const LineChart = (props: ChartProps) => <Chart {...props} Drawing={LineDrawing} />;

/**
 * A chart with its legend, and the same as a table by one click. Each series has a pattern besides its colour; each point says
 * its numbers on hover and focus, and leads to the list behind it where there is one.
 */
function Chart({ Drawing, ...props }: ChartProps & { Drawing: ComponentType<ChartProps> }) {
  const { words } = useLanguage();
  const { title, isTitled, points } = props;
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  return (
    <figure className={isTitled ? 'chart chart-titled' : 'chart'} aria-labelledby={id}>
      <figcaption className="chart-head">
        <span id={id} className={isTitled ? 'hidden-visually' : 'chart-title'}>
          {title}
        </span>
        <span className="chart-actions">
          {isTable && (
            <Button variant="quiet" onPress={() => savePoints(props)}>
              {words.charts.csv}
            </Button>
          )}
          <Button variant="quiet" onPress={() => setIsTable(!isTable)}>
            {isTable ? words.charts.asChart : words.charts.asTable}
          </Button>
        </span>
      </figcaption>
      {isTable ? (
        <ChartTable {...props} />
      ) : (
        points.length > 0 && (
          <Suspense fallback={<Skeleton lines={6} />}>
            <Drawing {...props} />
          </Suspense>
        )
      )}
    </figure>
  );
}

/** Saves the table as CSV, with the numbers as they are. */
function savePoints({ title, axis, series, points, marks }: ChartProps): void {
  const rows = points.map((point, index) => [
    point.label,
    ...series.map(({ name }) => (point.isGap ? '' : (point.values[name] ?? 0))),
    ...(marks ? [describeMarks(marks.list, index)] : []),
  ]);
  const header = [axis, ...series.map(({ label }) => label), ...(marks ? [marks.title] : [])];
  saveFile(`${title}.csv`, writeCsv([header, ...rows]), 'text/csv');
}

/** What happened within a point. */
const describeMarks = (marks: readonly Mark[], point: number): string =>
  marks
    .filter(({ position }) => Math.floor(position) === point)
    .map(({ text }) => text)
    .join('; ');

function ChartTable({ title, axis, series, points, formatValue, marks }: ChartProps) {
  const { language } = useLanguage();
  const format = formatValue ?? ((value: number) => formatNumber(value, language));
  const renderLabel = ({ label, link }: Point) =>
    link ? (
      <PageLink to={link.to} search={link.search ?? {}}>
        {label}
      </PageLink>
    ) : (
      label
    );
  return (
    <div className="chart-table">
      <Table
        caption={title}
        columns={[
          { header: axis, render: renderLabel },
          ...series.map(({ name, label }) => ({
            header: label,
            numeric: true,
            render: ({ values, isGap }: Point) => (isGap ? '–' : format(values[name] ?? 0)),
          })),
          ...(marks
            ? [
                {
                  header: marks.title,
                  render: (point: Point) => describeMarks(marks.list, points.indexOf(point)),
                },
              ]
            : []),
        ]}
        rows={points}
        getKey={({ label }) => label}
        empty={null}
      />
    </div>
  );
}
