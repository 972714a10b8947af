import { useMemo, useState } from 'react';
import { Button } from '../../../../kit/button.tsx';
import { formatNumber } from '../../../../kit/format-number.ts';
import { Notice } from '../../../../kit/notice.tsx';
import { Section } from '../../kit/page.tsx';
import { useLanguage } from '../../words/use-words.ts';
import { usePatientWords } from '../use-patient-words.ts';
import { findDateOrders, toIsoDay } from './birth-dates.ts';
import { FIELDS, type Field, REQUIRED_FIELDS } from './fields.ts';
import { countRows, type RowState, type SheetRow } from './import-sheet.ts';
import type { Import } from './use-import.ts';

const STATES: readonly RowState[] = ['faulty', 'ready', 'enrolled', 'twice', 'imported'];

/** So many are drawn at once: a hundred thousand rows would hold up the page. */
const PAGE_SIZE = 50;

/** The rows of the file by what becomes of them, each fault at its cell. */
export function RowSection({ work, rows }: { work: Import; rows: readonly SheetRow[] }) {
  const { importer: words } = usePatientWords();
  const { language } = useLanguage();
  const counts = useMemo(() => countRows(rows), [rows]);
  const [chosen, setChosen] = useState<RowState | null>(null);
  const state = chosen ?? STATES.find((each) => counts[each] > 0) ?? 'ready';
  const shown = useMemo(() => rows.filter((row) => row.state === state), [rows, state]);
  return (
    <Section title={words.rows}>
      <div className="import-tabs" role="group" aria-label={words.rows}>
        {STATES.map((each) => (
          <button
            key={each}
            type="button"
            className={each === state ? 'import-tab import-tab-active' : 'import-tab'}
            aria-pressed={each === state}
            onClick={() => setChosen(each)}
          >
            {words.tabs[each]} <span className="import-count">{formatNumber(counts[each], language)}</span>
          </button>
        ))}
      </div>
      {state === 'faulty' && <DateOffer work={work} rows={shown} />}
      {shown.length === 0 ? (
        <p className="soft">{words.none}</p>
      ) : (
        <RowTable key={state} rows={shown} work={work} isEditable={state === 'faulty'} />
      )}
    </Section>
  );
}

/** Days of another form are written anew in the whole column by one press. */
function DateOffer({ work, rows }: { work: Import; rows: readonly SheetRow[] }) {
  const { importer: words } = usePatientWords();
  const { language } = useLanguage();
  const texts = useMemo(
    () =>
      rows.flatMap(({ faults, values }) =>
        faults.some(({ code }) => code === 'dateForm') ? [values.dateOfBirth] : [],
      ),
    [rows],
  );
  const orders = useMemo(() => findDateOrders(texts, language), [texts, language]);
  const [order] = orders;
  const example = order && texts.find((text) => toIsoDay(text, order) !== null);
  if (order === undefined || example === undefined) return null;
  return (
    <Notice>
      <p>
        {words.dates(
          example,
          orders
            .map((each) => toIsoDay(example, each))
            .filter(Boolean)
            .join(' / '),
        )}
      </p>
      <div className="page-actions">
        {orders.map((each) => (
          <Button key={each} onPress={() => work.convertDates(each)}>
            {words.convert[each]}: {toIsoDay(example, each)}
          </Button>
        ))}
      </div>
    </Notice>
  );
}

interface RowTableProps {
  rows: readonly SheetRow[];
  work: Import;
  isEditable: boolean;
}

/** What the file has no value of needs no column; a fault of a required field stands in its own. */
const listUsedFields = (rows: readonly SheetRow[]): Field[] =>
  FIELDS.filter(
    (field) =>
      REQUIRED_FIELDS.includes(field) ||
      rows.some(
        ({ values, faults }) => values[field] !== '' || faults.some((fault) => fault.field === field),
      ),
  );

function RowTable({ rows, work, isEditable }: RowTableProps) {
  const { importer: words } = usePatientWords();
  const [first, setFirst] = useState(0);
  const start = Math.min(first, Math.floor((rows.length - 1) / PAGE_SIZE) * PAGE_SIZE);
  const page = rows.slice(start, start + PAGE_SIZE);
  const fields = useMemo(() => listUsedFields(rows), [rows]);
  return (
    <>
      {/* It scrolls by itself where the window is narrower than its columns, so it has to take the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="import-scroll" role="region" aria-label={words.rows} tabIndex={0}>
        <table className="import-table">
          <thead>
            <tr>
              <th scope="col">{words.line}</th>
              {fields.map((field) => (
                <th key={field} scope="col">
                  {words.fields[field]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {page.map((row) => (
              <tr key={row.line}>
                <th scope="row" data-label={words.line}>
                  {row.line}
                </th>
                {fields.map((field) => (
                  <Cell key={field} {...{ row, field, isEditable }} onEdit={work.edit} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > PAGE_SIZE && <RowPages {...{ start, all: rows.length }} onGo={setFirst} />}
    </>
  );
}

function RowPages({ start, all, onGo }: { start: number; all: number; onGo: (first: number) => void }) {
  const { importer: words } = usePatientWords();
  const { language } = useLanguage();
  const format = (count: number) => formatNumber(count, language);
  const end = Math.min(start + PAGE_SIZE, all);
  return (
    <nav className="page-actions" aria-label={words.rows}>
      <Button disabled={start === 0} onPress={() => onGo(start - PAGE_SIZE)}>
        {words.previous}
      </Button>
      <Button disabled={end === all} onPress={() => onGo(start + PAGE_SIZE)}>
        {words.next}
      </Button>
      <span className="soft small">{words.range(format(start + 1), format(end), format(all))}</span>
    </nav>
  );
}

interface CellProps {
  row: SheetRow;
  field: Field;
  isEditable: boolean;
  onEdit: Import['edit'];
}

/** A cell with a fault is an input with what is wrong below it; the change counts when the input is left. */
function Cell({ row, field, isEditable, onEdit }: CellProps) {
  const { importer: words, one } = usePatientWords();
  const fault = row.faults.find((each) => each.field === field);
  const value = row.values[field];
  const label = words.fields[field];
  if (!isEditable)
    return (
      <td data-label={label}>
        {value}
        {fault && <span className="import-fault">{one.faults[fault.code]}</span>}
      </td>
    );
  const faultId = `fault-${row.line}-${field}`;
  return (
    <td data-label={label}>
      <input
        key={value}
        className={fault ? 'import-cell import-cell-faulty' : 'import-cell'}
        defaultValue={value}
        aria-label={words.cell(label, String(row.line))}
        aria-invalid={fault !== undefined}
        {...(fault && { 'aria-describedby': faultId })}
        onBlur={({ target }) => target.value.trim() !== value && onEdit(row.line, field, target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
      {fault && (
        <span id={faultId} className="import-fault">
          {one.faults[fault.code]}
        </span>
      )}
    </td>
  );
}
