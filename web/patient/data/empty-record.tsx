import { Notice } from '../../kit/notice.tsx';
import { useWords } from '../words/use-words.ts';
import type { RecordCounts } from './use-record-counts.ts';

interface EmptyRecordProps {
  counts: RecordCounts | null;
  /** There is a request that the person may also answer first. */
  goesOn?: boolean;
}

/** Says that a record holds nothing yet, before an app finds it so, with the way to add something; nothing otherwise. */
export function EmptyRecord({ counts, goesOn = false }: EmptyRecordProps) {
  const { data } = useWords();
  const { text, add, goOn, arriving } = data.emptyRecord;
  if (counts === null || counts.total > 0) return null;
  return (
    <Notice>
      {counts.isArriving ? (
        <p>{arriving}</p>
      ) : (
        <p>
          {text} {/* Beside a request, which goes on in its own window. */}
          <a
            className="link-alone"
            href="#/my-data/documents"
            {...(goesOn && { target: '_blank', rel: 'noopener' })}
          >
            {add}
          </a>
          . {goesOn && goOn}
        </p>
      )}
    </Notice>
  );
}
