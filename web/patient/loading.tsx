import { Icon } from '../kit/icon.tsx';
import { useWords } from './words/use-words.ts';

export function Loading() {
  const { common } = useWords();
  return (
    <p className="waiting loading" role="status">
      <Icon name="running" />
      {common.oneMoment}
    </p>
  );
}
