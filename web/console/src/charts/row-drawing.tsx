import { PageLink } from '../kit/page-link.tsx';
import { type ChartProps, sumPoint } from './chart-types.ts';
import { useFormatValue } from './plot.tsx';

/** A bar for each name, below the name: sentences fit there, on a phone too, and do not fit at an axis. */
export function RowDrawing(props: ChartProps) {
  const { series, points } = props;
  const format = useFormatValue(props);
  const highest = Math.max(1, ...points.map((point) => sumPoint(point, series)));
  return (
    <ul className="chart-rows">
      {points.map((point) => {
        const value = sumPoint(point, series);
        const { label, link } = point;
        return (
          <li key={label}>
            <span className="chart-row-name">
              {link ? (
                <PageLink to={link.to} search={link.search ?? {}}>
                  {label}
                </PageLink>
              ) : (
                label
              )}
            </span>
            <span className="chart-row-value">{format(value)}</span>
            <span className="chart-row-bar" aria-hidden="true">
              {value > 0 && <span style={{ width: `${(value / highest) * 100}%` }} />}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
