import { type ReactNode, useRef } from 'react';
import { formatNumber } from '../../../kit/format-number.ts';
import { AsCurl } from '../kit/as-curl.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { InRow } from '../kit/relative-time.tsx';
import { Blank } from '../kit/blank.tsx';
import { States } from '../kit/states.tsx';
import { Button } from '../../../kit/button.tsx';
import { useLanguage, useWords } from '../words/use-words.ts';
import { CsvButton } from './csv-button.tsx';
import { ListPages } from './list-pages.tsx';
import { useRowKeys } from './use-row-keys.ts';
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
}

/**
 * A list: a table, and cards below 720 px; its pages, states, news and CSV. `j` and `k` go from row to row, Enter opens one.
 */
export function List<Row>(props: ListProps<Row>) {
  const { list, caption, columns, empty } = props;
  const words = useWords();
  const region = useRef<HTMLDivElement>(null);
  useRowKeys(region);
  const hasRows = (list.query.data?.results.length ?? 0) > 0;
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
              <ListTable {...props} rows={results} />
            </>
          )
        }
      </States>
      <div className="list-foot">
        <ListPages list={list} />
        <div className="list-ways">
          {hasRows && <CsvButton list={list} columns={columns} name={caption} />}
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

function ListTable<Row>({
  rows,
  caption,
  columns,
  getLink,
  actions,
  actionsHeader,
  list,
}: ListProps<Row> & { rows: readonly Row[] }) {
  return (
    // It scrolls by itself where the window is narrower than its columns, so it has to take the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="list-scroll" role="region" aria-label={caption} tabIndex={0}>
      <table className="list-table">
        <caption className="hidden-visually">{caption}</caption>
        <thead>
          <tr>
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
              <ListRow key={list.getKey(row)} {...{ row, columns, getLink, actions }} />
            ))}
          </InRow>
        </tbody>
      </table>
    </div>
  );
}

function ListRow<Row>({
  row,
  columns,
  getLink,
  actions,
}: {
  row: Row;
  columns: readonly ListColumn<Row>[];
  getLink: ((row: Row) => string) | undefined;
  actions: ((row: Row) => ReactNode) | undefined;
}) {
  return (
    <tr className={getLink ? 'list-row list-row-linked' : 'list-row'}>
      {columns.map(({ name, header, render, numeric, wideOnly }, index) => {
        const className = [numeric && 'list-number', wideOnly && 'list-wide'].filter(Boolean).join(' ');
        if (index > 0)
          return (
            <td key={name} className={className} data-header={header}>
              {render(row)}
            </td>
          );
        return (
          <th key={name} scope="row" className={className}>
            {getLink ? (
              <PageLink to={getLink(row)} isRow>
                {render(row)}
              </PageLink>
            ) : (
              render(row)
            )}
          </th>
        );
      })}
      {actions && <td className="list-actions">{actions(row)}</td>}
    </tr>
  );
}
