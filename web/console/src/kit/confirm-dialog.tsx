import { type ReactNode, type SubmitEvent, useState } from 'react';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { Field } from '../../../kit/field.tsx';
import { useTask } from '../../../kit/task.ts';
import { useWords } from '../words/use-words.ts';
import { Dialog } from './dialog.tsx';
import { RefusalNotice } from './refusal-notice.tsx';

interface ConfirmDialogProps {
  title: string;
  /** What happens, and what it means for others. */
  children: ReactNode;
  confirm: string;
  /** It ends something: the button says so by its colour. */
  danger?: boolean;
  wide?: boolean;
  /** What has to be typed first, such as the name of what is deleted. */
  typed?: string;
  /** Texts for the codes of refusals. */
  texts?: Readonly<Record<string, string>>;
  /** Does it; the dialog stays while it runs, and says why it failed. Whoever opened it closes it after success. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** States what an action does before it does it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirm, danger = false, wide = false, typed, texts, onConfirm, onClose } = props;
  const words = useWords();
  const { busy, refusal, run } = useTask();
  const [text, setText] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const wrong = typed !== undefined && text.trim() !== typed;
    setIsWrong(wrong);
    if (!wrong) run(onConfirm);
  };
  return (
    <Dialog title={title} onClose={onClose} wide={wide}>
      <form className="stack" noValidate onSubmit={submit}>
        <div className="stack">{children}</div>
        {typed !== undefined && (
          <Field
            name="typed-name"
            label={words.confirm.typeName(typed)}
            autoComplete="off"
            maxLength={null}
            value={text}
            error={isWrong ? words.confirm.typedWrong : undefined}
            onChange={setText}
          />
        )}
        {refusal && <RefusalNotice refusal={refusal} texts={texts} />}
        <div className="dialog-buttons">
          <Button onPress={onClose} disabled={busy}>
            {words.common.cancel}
          </Button>
          <Button type="submit" variant={danger ? 'danger' : 'strong'} busy={busy}>
            {confirm}
          </Button>
        </div>
        <Busy busy={busy} text={words.common.oneMoment} />
      </form>
    </Dialog>
  );
}
