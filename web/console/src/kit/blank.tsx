import type { ReactNode } from 'react';
import './states.css';

interface BlankProps {
  title?: string;
  text: ReactNode;
  /** The one action that changes it. */
  action?: ReactNode;
  isAlert?: boolean;
}

/** Where there is nothing: what would be here, and the action that brings it. */
export function Blank({ title, text, action, isAlert = false }: BlankProps) {
  return (
    <div className="blank" {...(isAlert && { role: 'alert' })}>
      {title !== undefined && <h2>{title}</h2>}
      <p className="soft">{text}</p>
      {action !== undefined && <div className="page-actions">{action}</div>}
    </div>
  );
}
