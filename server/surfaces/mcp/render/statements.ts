import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { buildFactTable, join, type FactTable } from './markdown.ts';
import { formatName } from './name-text.ts';
import { escapeValue } from './escape-markdown.ts';
import type { Provenance } from './provenance.ts';
import { formatReference } from './reference-text.ts';

/** A statement that there is nothing to record, such as "No known allergies". */
type Statement = Pick<StoredEntry, 'title' | 'dayText'> & { detail: { noInformation?: true } } & Provenance;

/** "No known allergies (stated 2019-05-01)", "Not on file (nothing is known; stated 2019-05-01)". */
function formatStatement({ title, dayText, detail }: Statement): string {
  const remarks = join(
    [
      detail.noInformation === true && !/informa[ct]i/i.test(title) && 'nothing is known',
      dayText !== null && `stated ${dayText}`,
    ],
    '; ',
  );
  return join([formatName(title), remarks !== '' && `(${remarks})`], ' ');
}

/** Renders a table of statements, with a column of notes where there are any. */
export const renderStatementTable = <S extends Statement>(
  statements: readonly S[],
  getNote: (statement: S) => string | null = () => null,
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
  const all = statements.map((each) => `${formatStatement(each)}, ${formatReference(each)}`);
  return all.length === 0 ? null : `Stated: ${all.join('; ')}.`;
}
