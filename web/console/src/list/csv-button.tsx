import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { useTask } from '../../../kit/task.ts';
import { useState } from 'react';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { saveFile } from '../kit/save-file.ts';
import { useToast } from '../kit/toasts.tsx';
import { useLanguage } from '../words/use-words.ts';
import type { ListColumn } from './list-column.ts';
import type { ListState } from './use-list.ts';

interface CsvButtonProps<Row> {
  list: ListState<Row>;
  columns: readonly ListColumn<Row>[];
  name: string;
}

const PAGE_SIZE = 1000;

/** Downloads all rows of the filter, not those of this page alone. */
export function CsvButton<Row>({ list, columns, name }: CsvButtonProps<Row>) {
  const { words, language } = useLanguage();
  const { busy, refusal, run } = useTask();
  const [count, setCount] = useState(0);
  const toast = useToast();
  const written = columns.filter(({ csv }) => csv !== undefined);
  if (written.length === 0) return null;
  const download = async () => {
    const { writeCsv } = await import('./write-csv.ts');
    const rows = await fetchAll(list, setCount);
    const table = rows.map((row) => written.map(({ csv }) => csv?.(row) ?? ''));
    saveFile(`${name}.csv`, writeCsv([written.map((column) => column.name), ...table]), 'text/csv');
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
      PAGE_SIZE,
    );
    rows.push(...page.results);
    onProgress(rows.length);
    const isMore = paging === 'offset' && page.results.length > 0 && rows.length < (page.total ?? 0);
    position = paging === 'offset' ? (isMore ? String(rows.length) : null) : (page.next ?? null);
  } while (position !== null);
  return rows;
}
