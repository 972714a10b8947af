import { FailureSummary } from '../../patient/failure-summary.tsx';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Busy } from '../../kit/busy.tsx';
import { Button } from '../../kit/button.tsx';
import { useTask } from '../../kit/task.ts';
import { useWords } from './words/use-words.ts';
import './confirm-button.css';

interface ConfirmPromptProps {
  title: string;
  /** What happens on confirmation. */
  children: ReactNode;
  confirmLabel: string;
  cancelLabel: string;
  onConfirm: () => Promise<void>;
}

interface ConfirmButtonProps extends ConfirmPromptProps {
  label: string;
  /** Distinguishes several buttons alike for those who do not see what each is beside. */
  subject: string;
  variant?: 'plain' | 'quiet';
}

/** An action in two clicks: the question replaces the button, below what it is about. */
export function ConfirmButton({ label, subject, variant = 'plain', ...prompt }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (isOpen) return <ConfirmPrompt {...prompt} onCancel={() => setOpen(false)} />;
  return (
    <div>
      <Button ref={opener} variant={variant} onPress={() => setOpen(true)}>
        <span>
          {label}
          <span className="hidden-visually"> {subject}</span>
        </span>
      </Button>
    </div>
  );
}

/** States what happens before it does; it takes the focus, so that it is read out. */
export function ConfirmPrompt(props: ConfirmPromptProps & { onCancel: () => void }) {
  const { title, children, confirmLabel, cancelLabel, onConfirm, onCancel } = props;
  const words = useWords();
  const { busy, refusal, run } = useTask();
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
      <FailureSummary refusal={refusal} />
      <div className="buttons">
        <Button variant="strong" busy={busy} onPress={() => run(onConfirm)}>
          {confirmLabel}
        </Button>
        <Button busy={busy} onPress={onCancel}>
          {cancelLabel}
        </Button>
      </div>
      <Busy busy={busy} text={words.common.oneMoment} />
    </div>
  );
}
