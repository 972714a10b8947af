import { Icon } from '../../../kit/icon.tsx';
import { useWords } from '../words/use-words.ts';

/** A filter that is set, with its way out. */
export function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  const words = useWords();
  return (
    <button type="button" className="chip" aria-label={words.list.remove(text)} onClick={onRemove}>
      <span>{text}</span>
      <Icon name="cross" />
    </button>
  );
}
