import { Icon } from '../../../kit/icon.tsx';
import { buildMyDataFragment } from '../route.ts';
import { useWords } from '../words/language.tsx';
import './parts.css';

/** Stands above the title of each part; the browser's back button leads there too, unless the part was opened by its address. */
export function BackToMyData() {
  const { myData } = useWords();
  return (
    <nav className="back">
      <a href={buildMyDataFragment(null)}>
        <Icon name="backward" />
        {myData.back}
      </a>
    </nav>
  );
}
