import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../kit/icon.tsx';
import './state-card.css';

interface StateCardProps {
  icon: IconName;
  /** Something went wrong, or needs a look. */
  hasWarning?: boolean;
  title: string;
  children: ReactNode;
}

/** One of several things that are under way or done: what it is, how it stands, and what came of it. */
export function StateCard({ icon, hasWarning = false, title, children }: StateCardProps) {
  return (
    <li className={`state-card${hasWarning ? ' state-card-warns' : ''}`}>
      <span className="state-card-icon">
        <Icon name={icon} />
      </span>
      <div className="state-card-words">
        <p className="state-card-title">{title}</p>
        {children}
      </div>
    </li>
  );
}
