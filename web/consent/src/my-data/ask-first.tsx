import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Busy } from '../../../look/busy.tsx';
import { Button } from '../../../look/button.tsx';
import { ErrorSummary } from '../../../look/form.tsx';
import { useTask } from '../task.ts';
import { failureText } from '../words/failure.ts';
import { useLanguage } from '../words/language.tsx';
import './ask-first.css';

interface QuestionProps {
  title: string;
  /** What happens then. */
  children: ReactNode;
  yes: string;
  no: string;
  work: () => Promise<void>;
}

interface AskFirstProps extends QuestionProps {
  button: string;
  /** Which of several alike the button is, for those who do not see what it stands beside. */
  of: string;
  look?: 'plain' | 'quiet';
}

/** Two clicks: the question opens in the place of the button, below what it is about. */
export function AskFirst({ button, of, look = 'plain', ...question }: AskFirstProps) {
  const [asking, setAsking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (wasAsking.current && !asking) opener.current?.focus();
    wasAsking.current = asking;
  }, [asking]);
  if (asking) return <Question {...question} onNo={() => setAsking(false)} />;
  return (
    <div>
      <Button ref={opener} look={look} onPress={() => setAsking(true)}>
        <span>
          {button}
          <span className="hidden-visually"> {of}</span>
        </span>
      </Button>
    </div>
  );
}

/** Says what happens before it does; takes the focus, so that it is read out. */
export function Question(props: QuestionProps & { onNo: () => void }) {
  const { title, children, yes, no, work, onNo } = props;
  const { words, language } = useLanguage();
  const { busy, trouble, run } = useTask();
  const id = useId();
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => group.current?.focus(), []);
  return (
    <div
      ref={group}
      className="question"
      role="group"
      tabIndex={-1}
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}text`}
    >
      <p id={`${id}title`} className="question-title">
        {title}
      </p>
      <div id={`${id}text`} className="stack">
        {children}
      </div>
      {trouble && (
        <ErrorSummary
          title={words.common.problem}
          faults={[{ text: failureText(trouble, words, language) }]}
        />
      )}
      <div className="buttons">
        <Button look="strong" busy={busy} onPress={() => run(work)}>
          {yes}
        </Button>
        <Button busy={busy} onPress={onNo}>
          {no}
        </Button>
      </div>
      <Busy busy={busy} text={words.common.oneMoment} />
    </div>
  );
}
