import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { buildFactTable, join, type FactTable } from './markdown.ts';
import { formatName } from './name-text.ts';
import { escapeValue } from './escape-markdown.ts';
import type { Provenance } from './provenance.ts';
import { formatReference } from './reference-text.ts';

/** A statement that there is nothing to record, such as "No known allergies". */
type Statement = Pick<StoredEntry, 'title' | 'dayText'> & {
  detail: { noInformation?: true; note?: string | null };
} & Provenance;

/** "No known allergies (stated 2019-05-01)", "Not on file (nothing is known; stated 2019-05-01)". */
function formatStatement({ title, dayText, detail }: Statement, note = ''): string {
  const remarks = join(
    [
      detail.noInformation === true && !/informa[ct]i/i.test(title) && 'nothing is known',
      dayText !== null && `stated ${dayText}`,
      note !== '' && `note: ${note}`,
    ],
    '; ',
  );
  return join([formatName(title), remarks !== '' && `(${remarks})`], ' ');
}

/** Of each row the first, and the others as far as their notes say something else. */
export const listStated = <S extends Statement>(rows: readonly (readonly S[])[]): S[] =>
  rows.flatMap((row) => {
    const notes = row.map(({ detail }) => detail.note ?? null);
    return row.filter((_, at) => at === 0 || (notes[at] !== null && notes.indexOf(notes[at] ?? null) === at));
  });

/** Renders a table of statements, with a column of notes where there are any. */
export const renderStatementTable = <S extends Statement>(
  statements: readonly S[],
  getNote: (statement: S) => string | null = ({ detail }) => detail.note ?? null,
): FactTable =>
  buildFactTable(
    ['Statement', 'Note'],
    statements.map((statement) => ({
      cells: [formatStatement(statement), escapeValue(getNote(statement))],
      entries: [statement],
    })),
  );

/** "Stated: No information about problems (stated 2020-03-01), Condition/7."; null when there are none. */
export function renderStatementList(statements: readonly Statement[]): string | null {
  const all = statements.map(
    (each) => `${formatStatement(each, escapeValue(each.detail.note ?? null))}, ${formatReference(each)}`,
  );
  return all.length === 0 ? null : `Stated: ${all.join('; ')}.`;
}
