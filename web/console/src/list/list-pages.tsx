import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { useLanguage } from '../words/use-words.ts';
import type { ListState } from './use-list.ts';

/** The ways to the pages before and after this one; none where there is one page only. */
export function ListPages<Row>({ list }: { list: ListState<Row> }) {
  const { words, language } = useLanguage();
  const { query, paging } = list;
  if (query.data === undefined) return null;
  const { back, forward, range } = paging === 'offset' ? readOffsets(list) : readCursors(list);
  if (back === undefined && forward === undefined) return <span />;
  const texts = words.list;
  return (
    <nav className="list-pages" aria-label={texts.pages}>
      {back !== undefined && (
        <Button onPress={() => list.goTo(back)}>{paging === 'offset' ? texts.previous : texts.newest}</Button>
      )}
      {forward !== undefined && (
        <Button onPress={() => list.goTo(forward)}>{paging === 'offset' ? texts.next : texts.older}</Button>
      )}
      {range && (
        <span className="soft small">
          {texts.range(
            formatNumber(range.first, language),
            formatNumber(range.last, language),
            formatNumber(range.total, language),
          )}
        </span>
      )}
    </nav>
  );
}

interface Ways {
  /** undefined: there is no such page; null: the first. */
  back: string | null | undefined;
  forward: string | undefined;
  range?: { first: number; last: number; total: number };
}

function readOffsets<Row>({ position, pageSize, query }: ListState<Row>): Ways {
  const offset = Number(position ?? 0);
  const { results = [], total = 0 } = query.data ?? {};
  const before = offset - pageSize;
  return {
    back: offset === 0 ? undefined : before <= 0 ? null : String(before),
    forward: offset + results.length < total ? String(offset + pageSize) : undefined,
    range: { first: offset + 1, last: offset + results.length, total },
  };
}

/** A keyset page knows the one after it; the way back to it is the browser's, and a button leads to the newest. */
const readCursors = <Row,>({ position, query }: ListState<Row>): Ways => ({
  back: position === null ? undefined : null,
  forward: query.data?.next ?? undefined,
});
