import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { useWords } from '../words/use-words.ts';
import type { ListColumn } from './list-column.ts';

interface ColumnsButtonProps<Row> {
  /** Those that may be hidden: not the first one, which names the row. */
  columns: readonly ListColumn<Row>[];
  hidden: ReadonlySet<string>;
  onChange: (hidden: ReadonlySet<string>) => void;
}

/** Chooses the columns of a list; the choice stays in this browser. */
export function ColumnsButton<Row>({ columns, hidden, onChange }: ColumnsButtonProps<Row>) {
  const { list: words, common } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  if (columns.length === 0) return null;
  return (
    <>
      <Button variant="quiet" onPress={() => setIsOpen(true)}>
        {words.columns}
      </Button>
      {isOpen && (
        <Dialog title={words.columns} onClose={() => setIsOpen(false)}>
          <p className="soft">{words.columnsLead}</p>
          <div>
            {columns.map(({ name, header }) => (
              <Checkbox
                key={name}
                label={header}
                checked={!hidden.has(name)}
                onChange={() => onChange(hidden.symmetricDifference(new Set([name])))}
              />
            ))}
          </div>
          <div className="dialog-buttons">
            <Button onPress={() => onChange(new Set())}>{words.allColumns}</Button>
            <Button variant="strong" onPress={() => setIsOpen(false)}>
              {common.close}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
