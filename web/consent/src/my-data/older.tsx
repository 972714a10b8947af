import { useState } from 'react';
import { Busy } from '../../../look/busy.tsx';
import { Button } from '../../../look/button.tsx';
import { ErrorSummary } from '../../../look/form.tsx';
import { useTask } from '../task.ts';
import { failureText } from '../words/failure.ts';
import { useLanguage } from '../words/language.tsx';

interface OlderProps {
  button: string;
  /** How many more are shown now, for those who do not see them appear. */
  shown: (count: string) => string;
  /** Brings the next page, and tells how much is on it. */
  more: () => Promise<number>;
}

/** The way to the next page of a list whose newest stand first. */
export function Older({ button, shown, more }: OlderProps) {
  const { words, language } = useLanguage();
  const { busy, trouble, run } = useTask();
  const [said, setSaid] = useState('');
  return (
    <div className="stack">
      {trouble && (
        <ErrorSummary
          title={words.common.problem}
          faults={[{ text: failureText(trouble, words, language) }]}
        />
      )}
      <div>
        <Button busy={busy} onPress={() => run(async () => setSaid(shown(String(await more()))))}>
          {button}
        </Button>
      </div>
      <Busy busy={busy || said !== ''} text={busy ? words.common.oneMoment : said} />
    </div>
  );
}
