import { saveFile } from '../kit/save-file.ts';
import type { ListColumn } from './list-column.ts';

/** Whether anything of the rows stands in a CSV file. */
export const hasCsv = <Row>(columns: readonly ListColumn<Row>[]): boolean =>
  columns.some(({ csv }) => csv !== undefined);

/** Saves rows as a CSV file of this name, with every column, also those that are hidden on the page. */
export async function saveRows<Row>(
  name: string,
  columns: readonly ListColumn<Row>[],
  rows: readonly Row[],
): Promise<void> {
  const { writeCsv } = await import('./write-csv.ts');
  const written = columns.filter(({ csv }) => csv !== undefined);
  const table = rows.map((row) => written.map(({ csv }) => csv?.(row) ?? ''));
  saveFile(`${name}.csv`, writeCsv([written.map((column) => column.name), ...table]), 'text/csv');
}
