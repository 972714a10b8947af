import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../../look/icon.tsx';
import './section.css';

export function Section({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  return (
    <section className="section">
      <span className="section-icon">
        <Icon name={icon} />
      </span>
      <div className="section-words stack">
        <h2>{title}</h2>
        {children}
      </div>
    </section>
  );
}
