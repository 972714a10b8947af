import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { useTask } from '../../../kit/task.ts';
import { useState } from 'react';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useLanguage } from '../words/use-words.ts';
import type { ListColumn } from './list-column.ts';
import { CSV_PAGE_SIZE } from './page-sizes.ts';
import { hasCsv, saveRows } from './save-rows.ts';
import type { ListState } from './use-list.ts';

interface CsvButtonProps<Row> {
  list: ListState<Row>;
  columns: readonly ListColumn<Row>[];
  name: string;
}

/** Downloads all rows of the filter, not those of this page alone. */
export function CsvButton<Row>({ list, columns, name }: CsvButtonProps<Row>) {
  const { words, language } = useLanguage();
  const { busy, refusal, run } = useTask();
  const [count, setCount] = useState(0);
  const toast = useToast();
  if (!hasCsv(columns)) return null;
  const download = async () => {
    const rows = await fetchAll(list, setCount);
    await saveRows(name, columns, rows);
    toast(words.list.csvDone(formatNumber(rows.length, language)));
  };
  return (
    <>
      <Button variant="quiet" busy={busy} onPress={() => run(download)}>
        {busy ? words.list.csvProgress(formatNumber(count, language)) : words.list.csv}
      </Button>
      {refusal && <RefusalNotice refusal={refusal} />}
    </>
  );
}

async function fetchAll<Row>(
  { fetchPage, paging }: ListState<Row>,
  onProgress: (count: number) => void,
): Promise<Row[]> {
  const rows: Row[] = [];
  let position: string | null = null;
  do {
    const page: { results: readonly Row[]; next?: string | null; total?: number } = await fetchPage(
      position,
      CSV_PAGE_SIZE,
    );
    rows.push(...page.results);
    onProgress(rows.length);
    const isMore = paging === 'offset' && page.results.length > 0 && rows.length < (page.total ?? 0);
    position = paging === 'offset' ? (isMore ? String(rows.length) : null) : (page.next ?? null);
  } while (position !== null);
  return rows;
}
