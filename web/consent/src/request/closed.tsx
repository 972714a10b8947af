import { Emblem } from '../../../kit/emblem.tsx';
import { MyDataLink } from '../my-data/my-data-link.tsx';
import { Screen } from '../screen.tsx';
import { useWords } from '../words/language.tsx';

export function Closed() {
  const { closed } = useWords();
  return (
    <Screen name="closed" title={closed.title} above={<Emblem icon="check" />} lead={closed.text}>
      <MyDataLink />
    </Screen>
  );
}
