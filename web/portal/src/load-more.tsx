import { FailureSummary } from '../../patient/failure-summary.tsx';
import { useState } from 'react';
import { Busy } from '../../kit/busy.tsx';
import { Button } from '../../kit/button.tsx';
import { useTask } from '../../kit/task.ts';
import { useWords } from './words/use-words.ts';

interface LoadMoreProps {
  label: string;
  /** How many more are shown now, for those who do not see them appear. */
  formatShown: (count: string) => string;
  /** Brings the next page, and tells how much is on it. */
  loadMore: () => Promise<number>;
}

/** The way to the next page of a list whose newest stand first. */
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
