import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import './notice.css';

/** Something to know before going on; a warning where it may go wrong. */
export function Notice({
  children,
  kind = 'note',
}: {
  children: ReactNode;
  kind?: 'note' | 'warning' | 'danger';
}) {
  return (
    <div className={`notice notice-${kind}`}>
      <Icon name={kind === 'note' ? 'info' : 'warning'} />
      <div>{children}</div>
    </div>
  );
}
