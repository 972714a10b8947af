import { Icon } from '../../kit/icon.tsx';
import { buildPartFragment } from './route.ts';
import { useWords } from './words/use-words.ts';
import './parts.css';

/**
 * The link above the title of each part; the browser's back button leads there too, unless the part was opened by its
 * address.
 */
export function BackToMyData() {
  const { myData } = useWords();
  return (
    <nav className="back">
      <a href={buildPartFragment(null)}>
        <Icon name="backward" />
        {myData.back}
      </a>
    </nav>
  );
}
