import { Emblem } from '../../../look/emblem.tsx';
import { Screen } from '../screen.tsx';
import { useWords } from '../words/language.tsx';

export function Closed() {
  const { closed } = useWords();
  return <Screen name="closed" title={closed.title} above={<Emblem icon="check" />} lead={closed.text} />;
}
