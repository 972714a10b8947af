import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../kit/icon.tsx';
import './state-card.css';

interface StateCardProps {
  icon: IconName;
  /** Something went wrong or needs attention. */
  hasWarning?: boolean;
  title: string;
  children: ReactNode;
}

/** A card for something that is under way or done: its state, its title, its outcome. */
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
