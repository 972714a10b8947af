import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { Icon } from '../../../kit/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { getRowKey, restoreFocus } from './focus-row.ts';
import './dialog.css';

interface DialogProps {
  title: string;
  children: ReactNode;
  /** Escape, the cross and a click beside it; absent: the dialog is left by what it offers only. */
  onClose?: () => void;
  wide?: boolean;
}

/**
 * The browser's own modal dialog: it keeps the focus, and gives it back to where it was. It is not closed while its work is under
 * way: what the answer brings, such as a secret that is shown once, would be lost.
 */
export function Dialog({ title, children, onClose, wide = false }: DialogProps) {
  const words = useWords();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    const rowKey = getRowKey(document.activeElement);
    element?.showModal();
    return () => {
      element?.close();
      // What opened it may be gone, such as the button of a key that is revoked now.
      setTimeout(() => restoreFocus(rowKey));
    };
  }, []);
  const close = () => void (isBusy(dialog.current) || onClose?.());
  const closeBeside = ({ target, currentTarget }: SyntheticEvent) => {
    if (target === currentTarget) close();
  };
  const cancel = (event: SyntheticEvent) => {
    event.preventDefault();
    close();
  };
  return (
    // The keys of a dialog are the browser's: Escape comes as `cancel`.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={`dialog${wide ? ' dialog-wide' : ''}`}
      aria-labelledby={titleId}
      {...(onClose === undefined && { closedby: 'none' })}
      onCancel={cancel}
      onClick={closeBeside}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && (onClose === undefined || isBusy(dialog.current)))
          event.preventDefault();
        // Keys of the page behind it are not for somebody who is in a dialog.
        event.stopPropagation();
      }}
    >
      <div className="dialog-sheet">
        <div className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {onClose && (
            <button type="button" className="icon-button" aria-label={words.common.close} onClick={close}>
              <Icon name="cross" />
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}

const isBusy = (dialog: HTMLDialogElement | null): boolean =>
  dialog !== null && dialog.querySelector('.button-busy') !== null;
