import type { ReactNode } from 'react';
import './table.css';

export interface Column<Row> {
  header: string;
  render: (row: Row) => ReactNode;
  /** Numbers are aligned at their last digit. */
  numeric?: boolean;
}

interface TableProps<Row> {
  /** Names the table for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => string;
  /** Shown instead of a table without rows. */
  empty: ReactNode;
}

/** A table by its columns; the first column names the row. It scrolls by itself where the window is narrower. */
export function Table<Row>({ caption, columns, rows, getKey, empty }: TableProps<Row>) {
  if (rows.length === 0) return <>{empty}</>;
  return (
    // A region that scrolls has to take the focus, so that arrow keys scroll it (axe: scrollable-region-focusable).
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="table-scroll" role="region" aria-label={caption} tabIndex={0}>
      <table className="table">
        <caption className="hidden-visually">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ header, numeric }) => (
              <th key={header} scope="col" className={numeric ? 'table-number' : undefined}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={getKey(row)} {...{ row, columns }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TableRow<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return (
    <tr>
      {columns.map(({ header, render, numeric }, index) => {
        const className = numeric ? 'table-number' : undefined;
        return index === 0 ? (
          <th key={header} scope="row" className={className}>
            {render(row)}
          </th>
        ) : (
          <td key={header} className={className}>
            {render(row)}
          </td>
        );
      })}
    </tr>
  );
}
