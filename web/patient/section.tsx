import type { ReactNode, Ref } from 'react';
import { Icon, type IconName } from '../kit/icon.tsx';
import './section.css';

interface SectionProps {
  icon: IconName;
  title: string;
  children: ReactNode;
  /** For a section that moves the focus to its title when its work is done. */
  heading?: Ref<HTMLHeadingElement>;
}

export function Section({ icon, title, children, heading }: SectionProps) {
  return (
    <section className="section">
      <span className="section-icon">
        <Icon name={icon} />
      </span>
      <div className="section-words stack">
        <h2 ref={heading} tabIndex={heading ? -1 : undefined}>
          {title}
        </h2>
        {children}
      </div>
    </section>
  );
}
