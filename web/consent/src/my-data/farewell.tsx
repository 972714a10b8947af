import { Emblem } from '../../../look/emblem.tsx';
import { Screen } from '../screen.tsx';
import { useWords } from '../words/language.tsx';

export function Farewell() {
  const { farewell } = useWords().myData;
  return (
    <Screen name="farewell" title={farewell.title} above={<Emblem icon="check" />} lead={farewell.lead}>
      <p>{farewell.text}</p>
    </Screen>
  );
}
