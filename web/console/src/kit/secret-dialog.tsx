import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { useWords } from '../words/use-words.ts';
import { CopyCode } from './code.tsx';
import { Dialog } from './dialog.tsx';

export interface SecretItem {
  /** What it is, such as "Secret" or "As .env". */
  label: string;
  value: string;
}

interface SecretDialogProps {
  title: string;
  items: readonly SecretItem[];
  children?: ReactNode;
  onDone: () => void;
}

/**
 * Shows what is shown once. Neither Escape nor a click beside it nor the browser's Back closes it, only the word that it is
 * stored; the browser asks before the page is left for another site. The values are in this component alone: not in the address, the storage or the cache of requests.
 */
export function SecretDialog({ title, items, children, onDone }: SecretDialogProps) {
  const { secret } = useWords();
  const [isStored, setIsStored] = useState(false);
  /** How often somebody wanted to leave before: each time they are shown why they are still here. */
  const [heldBack, setHeldBack] = useState(0);
  useBlocker({
    shouldBlockFn() {
      if (!isStored) setHeldBack((times) => times + 1);
      return !isStored;
    },
    enableBeforeUnload: !isStored,
  });
  return (
    <Dialog title={title} wide>
      <Notice kind="warning">{secret.once}</Notice>
      {items.map(({ label, value }) => (
        <CopyCode key={label} label={label} text={value} />
      ))}
      {children}
      {heldBack > 0 && !isStored && (
        <div key={heldBack} role="alert" ref={scrollTo}>
          <Notice kind="danger">{secret.heldBack}</Notice>
        </div>
      )}
      <Checkbox label={secret.stored} checked={isStored} onChange={setIsStored} />
      <div className="dialog-buttons">
        <Button variant="strong" onPress={onDone} disabled={!isStored}>
          {secret.done}
        </Button>
      </div>
    </Dialog>
  );
}

/** On a phone it stands below what is seen of the dialog. */
const scrollTo = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'center' });
