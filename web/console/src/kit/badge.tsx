import type { ReactNode } from 'react';
import './page.css';

/** A state in a word; what its colour means, its words say too. */
export function Badge({
  kind = 'plain',
  children,
}: {
  kind?: 'plain' | 'good' | 'warning' | 'danger';
  children: ReactNode;
}) {
  return <span className={`badge badge-${kind}`}>{children}</span>;
}
