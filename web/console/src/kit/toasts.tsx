import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { Icon } from '../../../kit/icon.tsx';
import { useWords } from '../words/use-words.ts';
import './toasts.css';

type ShowToast = (text: string) => void;

const ToastContext = createContext<ShowToast>(() => undefined);

/** Says what has been done, for eight seconds and to screen readers: `toast(words.revoked(name))`. */
export const useToast = (): ShowToast => useContext(ToastContext);

const SHOWN_MS = 8000;

/** The region is always there: one that appears together with its text is not read out. */
export function Toasts({ children }: { children: ReactNode }) {
  const { common } = useWords();
  const [toasts, setToasts] = useState<readonly { id: number; text: string }[]>([]);
  const nextId = useRef(0);
  const dismiss = useCallback(
    (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)),
    [],
  );
  const show = useCallback<ShowToast>(
    (text) => {
      const id = nextId.current++;
      setToasts((shown) => [...shown.slice(-2), { id, text }]);
      setTimeout(() => dismiss(id), SHOWN_MS);
    },
    [dismiss],
  );
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" role="status">
        {toasts.map(({ id, text }) => (
          <div key={id} className="toast">
            <Icon name="check" />
            <span>{text}</span>
            <button
              type="button"
              className="icon-button"
              aria-label={common.close}
              onClick={() => dismiss(id)}
            >
              <Icon name="cross" />
            </button>
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
