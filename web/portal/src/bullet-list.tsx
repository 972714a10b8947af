import { Icon, type IconName } from '../../kit/icon.tsx';
import './bullet-list.css';

/** A few short points under a title. */
export function BulletList({
  title,
  items,
  icon,
}: {
  title: string;
  items: readonly string[];
  icon: IconName;
}) {
  return (
    <section className="stack listed">
      <h2>{title}</h2>
      <ul className="listed-items">
        {items.map((item) => (
          <li key={item}>
            <Icon name={icon} />
            <span>{item}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
