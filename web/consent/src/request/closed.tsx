import { Emblem } from '../../../kit/emblem.tsx';
import { MyDataLink } from '../my-data-link.tsx';
import { Screen } from '../../../patient/screen.tsx';
import { useWords } from '../words/use-words.ts';

export function Closed() {
  const { closed } = useWords();
  return (
    <Screen name="closed" title={closed.title} above={<Emblem icon="check" />} lead={closed.text}>
      <MyDataLink />
    </Screen>
  );
}
