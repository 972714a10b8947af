import { Notice } from '../../kit/notice.tsx';
import { useWords } from '../words/use-words.ts';
import type { RecordCounts } from './use-record-counts.ts';

interface EmptyRecordProps {
  counts: RecordCounts | null;
  /** There is a request that the person may also answer first. */
  goesOn?: boolean;
}

/**
 * Says that a record holds nothing yet, before an app finds it so, with what is to be done about it: files that wait for an
 * answer whether they are about the person, or something to add. Nothing otherwise. It is for the person alone: pictures of the
 * page leave it out.
 */
export function EmptyRecord({ counts, goesOn = false }: EmptyRecordProps) {
  const { data } = useWords();
  const { text, add, goOn, arriving, asked, answer } = data.emptyRecord;
  if (counts === null || counts.total > 0) return null;
  return (
    <div data-private>
      <Notice>
        {counts.isArriving && <p>{arriving}</p>}
        {!counts.isArriving && (
          <p>
            {counts.isAsked ? asked : text} {/* Beside a request, which goes on in its own window. */}
            <a
              className="link-within"
              href="#/my-data/documents"
              {...(goesOn && { target: '_blank', rel: 'noopener' })}
            >
              {counts.isAsked ? answer : add}
            </a>
            . {goesOn && goOn}
          </p>
        )}
      </Notice>
    </div>
  );
}
