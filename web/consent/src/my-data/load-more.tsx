import { useState } from 'react';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { ErrorSummary } from '../../../kit/form.tsx';
import { useTask } from '../task.ts';
import { formatFailure } from '../words/format-failure.ts';
import { useLanguage } from '../words/language.tsx';

interface LoadMoreProps {
  label: string;
  /** How many more are shown now, for those who do not see them appear. */
  formatShown: (count: string) => string;
  /** Brings the next page, and tells how much is on it. */
  loadMore: () => Promise<number>;
}

/** The way to the next page of a list whose newest stand first. */
export function LoadMore({ label, formatShown, loadMore }: LoadMoreProps) {
  const { words, language } = useLanguage();
  const { busy, failure, run } = useTask();
  const [announcement, setAnnouncement] = useState('');
  return (
    <div className="stack">
      {failure && (
        <ErrorSummary
          title={words.common.problem}
          errors={[{ text: formatFailure(failure, words, language) }]}
        />
      )}
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
