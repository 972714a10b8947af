import { FailureSummary } from '../../patient/failure-summary.tsx';
import { useState } from 'react';
import { Busy } from '../../kit/busy.tsx';
import { Button } from '../../kit/button.tsx';
import { useTask } from '../../kit/task.ts';
import { useWords } from './words/use-words.ts';

interface LoadMoreProps {
  label: string;
  /** Announces the number of new items to screen readers. */
  formatShown: (count: string) => string;
  /** Loads the next page, and returns the number of its items. */
  loadMore: () => Promise<number>;
}

/** The button for the next page of a list. */
export function LoadMore({ label, formatShown, loadMore }: LoadMoreProps) {
  const words = useWords();
  const { busy, refusal, run } = useTask();
  const [announcement, setAnnouncement] = useState('');
  return (
    <div className="stack">
      <FailureSummary refusal={refusal} />
      <div>
        <Button
          busy={busy}
          onPress={() => run(async () => setAnnouncement(formatShown(String(await loadMore()))))}
        >
          {label}
        </Button>
      </div>
      <Busy busy={busy || announcement !== ''} text={busy ? words.common.oneMoment : announcement} />
    </div>
  );
}
