import { Icon, type IconName } from '../../kit/icon.tsx';
import { PARTS, buildPartFragment, type Part } from './route.ts';
import { useWords } from './words/use-words.ts';
import './parts.css';

const ICONS: Record<Part, IconName> = {
  record: 'record',
  activity: 'eye',
  receipts: 'receipt',
  documents: 'folder',
  download: 'download',
  notices: 'mail',
  'signing-in': 'key',
  'delete-account': 'leave',
};

/**
 * The links to the parts of the portal. Each has an address of its own, since short pages are easier to find again on a
 * phone.
 */
export function Parts() {
  const { myData } = useWords();
  return (
    <nav className="parts-nav" aria-labelledby="parts-title">
      <h2 id="parts-title">{myData.more}</h2>
      <ul className="parts">
        {PARTS.map((part) => (
          <li key={part}>
            <a className="part" href={buildPartFragment(part)}>
              <Icon name={ICONS[part]} />
              <span>
                <span className="part-title">{myData.parts[part].title}</span>
                <span className="soft small part-hint">{myData.parts[part].hint}</span>
              </span>
              <Icon name="forward" />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
