import type { ReactNode } from 'react';
import { Dialog } from '../kit/dialog.tsx';
import { useWords } from '../words/use-words.ts';
import { usePermittedPages } from './navigation.tsx';

/** What can be done by keys alone. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { keys, pages: names } = useWords();
  const pages = usePermittedPages().filter(({ key }) => key !== undefined);
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <dl className="keys">
        <Key label={keys.search}>
          <kbd>/</kbd>
        </Key>
        <Key label={keys.nextRow}>
          <kbd>j</kbd>
        </Key>
        <Key label={keys.previousRow}>
          <kbd>k</kbd>
        </Key>
        <Key label={keys.openRow}>
          <kbd>Enter</kbd>
        </Key>
        <Key label={keys.selectRow}>
          <kbd>x</kbd>
        </Key>
        <Key label={keys.rowActions}>
          <kbd>.</kbd>
        </Key>
        <Key label={keys.filters}>
          <kbd>f</kbd>
        </Key>
        <Key label={keys.title}>
          <kbd>?</kbd>
        </Key>
        <Key label={keys.leave}>
          <kbd>Esc</kbd>
        </Key>
        {pages.map(({ name, key }) => (
          <Key key={name} label={keys.goTo(names[name])}>
            <kbd>g</kbd> {keys.chord} <kbd>{key}</kbd>
          </Key>
        ))}
      </dl>
    </Dialog>
  );
}

function Key({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
