import { type ReactNode, useId } from 'react';
import { PageLink } from '../kit/page-link.tsx';
import { InRow } from '../kit/relative-time.tsx';
import { useWords } from '../words/use-words.ts';
import type { ListColumn } from './list-column.ts';
import type { Selection } from './use-selection.ts';

interface ListTableProps<Row> {
  rows: readonly Row[];
  getKey: (row: Row) => string;
  caption: string;
  /** The first column names the row. */
  columns: readonly ListColumn<Row>[];
  getLink: ((row: Row) => string) | undefined;
  actions: ((row: Row) => ReactNode) | undefined;
  actionsHeader: string | undefined;
  /** null: nothing can be done with rows that are selected. */
  selection: Selection<Row> | null;
}

/** The rows of a list: a table, and cards below 960 px. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { rows, getKey, caption, columns, actions, actionsHeader, selection } = props;
  const { list: words } = useWords();
  const isSelecting = selection !== null && selection.selected.length > 0;
  return (
    // It scrolls by itself where the window is narrower than its columns, so it has to take the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="list-scroll" role="region" aria-label={caption} tabIndex={0}>
      <table className={isSelecting ? 'list-table list-selecting' : 'list-table'}>
        <caption className="hidden-visually">{caption}</caption>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className="list-select">
                <span className="hidden-visually">{words.select}</span>
              </th>
            )}
            {columns.map(({ name, header, numeric }) => (
              <th key={name} scope="col" className={numeric ? 'list-number' : undefined}>
                {header}
              </th>
            ))}
            {actions && (
              <th scope="col">
                <span className="hidden-visually">{actionsHeader ?? caption}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          <InRow value>
            {rows.map((row) => (
              <ListRow key={getKey(row)} row={row} {...props} />
            ))}
          </InRow>
        </tbody>
      </table>
    </div>
  );
}

function ListRow<Row>({ row, ...props }: ListTableProps<Row> & { row: Row }) {
  const { getKey, columns, getLink, actions, selection } = props;
  const nameId = useId();
  const isSelected = selection?.isSelected(row) ?? false;
  const names = ['list-row', getLink && 'list-row-linked', isSelected && 'list-row-selected'];
  return (
    <tr
      className={names.filter(Boolean).join(' ')}
      data-row={getKey(row)}
      {...(getLink === undefined && { tabIndex: -1 })}
    >
      {selection && (
        <td className="list-select">
          <input
            type="checkbox"
            aria-labelledby={nameId}
            checked={isSelected}
            onChange={() => selection.toggle(row)}
          />
        </td>
      )}
      {columns.map((column, index) =>
        index === 0 ? (
          <th key={column.name} id={nameId} scope="row" className={getCellClass(column)}>
            {getLink ? (
              <PageLink to={getLink(row)} isRow>
                {column.render(row)}
              </PageLink>
            ) : (
              column.render(row)
            )}
          </th>
        ) : (
          <td key={column.name} className={getCellClass(column)} data-header={column.header}>
            {column.render(row)}
          </td>
        ),
      )}
      {actions && <td className="list-actions">{actions(row)}</td>}
    </tr>
  );
}

const getCellClass = <Row,>({ numeric, wideOnly }: ListColumn<Row>): string =>
  [numeric && 'list-number', wideOnly && 'list-wide'].filter(Boolean).join(' ');
