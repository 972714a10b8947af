import { Button } from '../../../../kit/button.tsx';
import { formatList } from '../../../../kit/format-list.ts';
import { Section } from '../../kit/page.tsx';
import { useLanguage } from '../../words/use-words.ts';
import { usePatientWords } from '../use-patient-words.ts';
import { FIELDS, REQUIRED_FIELDS, type Field } from './fields.ts';
import type { Import } from './use-import.ts';

/** What each column of the file holds, as far as its heading says, and corrected by hand. */
export function ColumnSection({ work, isBusy }: { work: Import; isBusy: boolean }) {
  const { importer: words } = usePatientWords();
  const { language } = useLanguage();
  const { file, columns, setColumns, check } = work;
  if (file === null) return null;
  const missing = REQUIRED_FIELDS.filter((field) => !columns.includes(field));
  const choose = (index: number, field: Field | null) =>
    setColumns(
      columns.map((held, place) =>
        place === index ? field : field !== null && held === field ? null : held,
      ),
    );
  return (
    <Section title={words.columns}>
      <p className="soft">{words.columnsLead}</p>
      <ul className="import-columns">
        {file.headers.map((header, index) => (
          // Columns have no name that is theirs alone.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="import-column">
            <ColumnField
              {...{ header, index }}
              field={columns[index] ?? null}
              example={file.body.find((row) => row[index])?.[index] ?? ''}
              onChoose={(field) => choose(index, field)}
            />
          </li>
        ))}
      </ul>
      <p role="status">
        {missing.length > 0 &&
          words.missingFields(
            formatList(
              missing.map((field) => words.fields[field]),
              language,
            ),
          )}
      </p>
      <div>
        <Button variant="strong" busy={isBusy} disabled={missing.length > 0} onPress={check}>
          {words.check}
        </Button>
      </div>
    </Section>
  );
}

interface ColumnFieldProps {
  header: string;
  index: number;
  field: Field | null;
  example: string;
  onChoose: (field: Field | null) => void;
}

function ColumnField({ header, index, field, example, onChoose }: ColumnFieldProps) {
  const { importer: words } = usePatientWords();
  return (
    <>
      <label htmlFor={`column-${index}`}>
        {header === '' ? words.columnNumber(String(index + 1)) : words.column(header)}
      </label>
      <select
        id={`column-${index}`}
        className="filter-input"
        value={field ?? ''}
        onChange={({ target }) => onChoose((target.value || null) as Field | null)}
      >
        <option value="">{words.leftOut}</option>
        {FIELDS.map((each) => (
          <option key={each} value={each}>
            {words.fields[each]}
          </option>
        ))}
      </select>
      <span className="soft small import-example">
        {words.example}: {example}
      </span>
    </>
  );
}
