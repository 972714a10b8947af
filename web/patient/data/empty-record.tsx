import { Notice } from '../../kit/notice.tsx';
import { useWords } from '../words/use-words.ts';
import type { RecordCounts } from './use-record-counts.ts';

/** Says that a record holds nothing yet, before an app is told so, with the way to add something; nothing otherwise. */
export function EmptyRecord({ counts, goesOn }: { counts: RecordCounts | null; goesOn: boolean }) {
  const { data } = useWords();
  const { text, add, goOn, arriving } = data.emptyRecord;
  if (counts === null || counts.total > 0) return null;
  return (
    <div data-private>
      <Notice>
        {counts.isArriving ? (
          <p>{arriving}</p>
        ) : (
          <>
            <p>{text}</p>
            <p>
              {/* Beside the request, which goes on in its own window. */}
              <a className="link-alone" href="#/my-data/documents" target="_blank" rel="noopener">
                {add}
              </a>
            </p>
            {goesOn && <p>{goOn}</p>}
          </>
        )}
      </Notice>
    </div>
  );
}
