import { Icon, type IconName } from './icon.tsx';

/** A large round icon above the title of a short screen; decoration. */
export function Emblem({ icon, kind = 'calm' }: { icon: IconName; kind?: 'calm' | 'warning' }) {
  return (
    <span className={`emblem emblem-${kind}`}>
      <Icon name={icon} />
    </span>
  );
}
