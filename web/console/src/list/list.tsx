import { type ReactNode, useRef } from 'react';
import { formatNumber } from '../../../kit/format-number.ts';
import { AsCurl } from '../kit/as-curl.tsx';
import { Blank } from '../kit/blank.tsx';
import { States } from '../kit/states.tsx';
import { Button } from '../../../kit/button.tsx';
import { useLanguage, useWords } from '../words/use-words.ts';
import { ColumnsButton } from './columns-button.tsx';
import { CsvButton } from './csv-button.tsx';
import { ListPages } from './list-pages.tsx';
import { ListTable } from './list-table.tsx';
import { hasCsv, saveRows } from './save-rows.ts';
import { useHiddenColumns } from './use-hidden-columns.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useSelection, type Selection } from './use-selection.ts';
import type { ListColumn } from './list-column.ts';
import type { ListState } from './use-list.ts';
import './list.css';

interface ListProps<Row> {
  list: ListState<Row>;
  /** Names the list for screen readers, and its CSV file. */
  caption: string;
  /** The first column names the row. */
  columns: readonly ListColumn<Row>[];
  /** Where a row leads, below /console. */
  getLink?: (row: Row) => string;
  /** What would be here, and the one action that brings it. */
  empty: { title?: string; text: string; action?: ReactNode };
  /** Buttons of a row. */
  actions?: (row: Row) => ReactNode;
  actionsHeader?: string;
  /** What can be done with the selected rows besides. */
  forSelected?: (rows: readonly Row[]) => ReactNode;
}

/**
 * A list: its rows, pages, states, news, columns and CSV. `j` and `k` go from row to row, Enter opens one, `x` selects it, `.`
 * goes to its actions.
 */
export function List<Row>(props: ListProps<Row>) {
  const { list, caption, columns, empty } = props;
  const words = useWords();
  const region = useRef<HTMLDivElement>(null);
  useRowKeys(region);
  useKeptFocus(region);
  const atFirst = columns.flatMap(({ name, hiddenAtFirst }) => (hiddenAtFirst === true ? [name] : []));
  const [hidden, hide] = useHiddenColumns(list.name, atFirst);
  const rows = list.query.data?.results ?? [];
  return (
    <div ref={region} className="list">
      <States query={list.query}>
        {({ results }) =>
          results.length === 0 ? (
            list.isFiltered ? (
              <Blank
                text={words.list.emptyByFilter}
                action={<Button onPress={list.clearFilters}>{words.list.clear}</Button>}
              />
            ) : (
              <Blank {...empty} />
            )
          ) : (
            <>
              <News list={list} />
              <Rows {...props} rows={results} hidden={hidden} />
            </>
          )
        }
      </States>
      <div className="list-foot">
        <ListPages list={list} />
        <div className="list-ways">
          {rows.length > 0 && (
            <>
              <ColumnsButton columns={columns.slice(1)} hidden={hidden} onChange={hide} />
              <CsvButton list={list} columns={columns} name={caption} />
            </>
          )}
          <AsCurl command={list.curl} />
        </div>
      </div>
    </div>
  );
}

function News<Row>({ list }: { list: ListState<Row> }) {
  const { words, language } = useLanguage();
  const { newCount, showNew } = list;
  const { one, many } = words.list.news;
  return (
    <div role="status" className="list-news">
      {newCount > 0 && (
        <Button variant="quiet" onPress={showNew}>
          {newCount === 1 ? one : many(formatNumber(newCount, language))}
        </Button>
      )}
    </div>
  );
}

type RowsProps<Row> = ListProps<Row> & { rows: readonly Row[]; hidden: ReadonlySet<string> };

/** The rows with the chosen columns, and what is done with those that are selected. */
function Rows<Row>({ rows, hidden, list, caption, columns, ...rest }: RowsProps<Row>) {
  const selection = useSelection(rows, list.getKey);
  const isSelectable = hasCsv(columns);
  return (
    <>
      {isSelectable && <Selected {...{ selection, columns, caption }} more={rest.forSelected} />}
      <ListTable
        {...{
          rows,
          caption,
          getLink: rest.getLink,
          actions: rest.actions,
          actionsHeader: rest.actionsHeader,
        }}
        getKey={list.getKey}
        columns={columns.filter(({ name }, index) => index === 0 || !hidden.has(name))}
        selection={isSelectable ? selection : null}
      />
    </>
  );
}

interface SelectedProps<Row> {
  selection: Selection<Row>;
  columns: readonly ListColumn<Row>[];
  caption: string;
  more: ListProps<Row>['forSelected'];
}

/** How many rows are selected, and what can be done with them. */
function Selected<Row>({ selection, columns, caption, more }: SelectedProps<Row>) {
  const { words, language } = useLanguage();
  const { selected, clear } = selection;
  const { one, many } = words.list.selected;
  return (
    <div role="status" className="list-news list-selected">
      {selected.length > 0 && (
        <>
          <strong>{selected.length === 1 ? one : many(formatNumber(selected.length, language))}</strong>
          {more?.(selected)}
          <Button variant="quiet" onPress={() => void saveRows(caption, columns, selected)}>
            {words.list.csvOfSelected}
          </Button>
          <Button variant="quiet" onPress={clear}>
            {words.list.selectNone}
          </Button>
        </>
      )}
    </div>
  );
}
