import { Icon } from '../../kit/icon.tsx';
import { useWords } from '../words/use-words.ts';
import './category-picker.css';

interface ExpandButtonProps {
  /** What it opens, as it is read out. */
  label: string;
  listId: string;
  opened: boolean;
  onPress: () => void;
}

export function ExpandButton({ label, listId, opened, onPress }: ExpandButtonProps) {
  const { data } = useWords();
  return (
    <button
      type="button"
      className="kind-more"
      aria-expanded={opened}
      aria-controls={listId}
      aria-label={label}
      onClick={onPress}
    >
      <span>{data.oneByOne}</span>
      <Icon name="more" />
    </button>
  );
}
