import { Emblem } from '../../kit/emblem.tsx';
import { Screen } from '../../patient/screen.tsx';
import { useWords } from './words/use-words.ts';

export function AccountDeleted() {
  const { accountDeleted } = useWords().myData;
  return (
    <Screen
      name="farewell"
      title={accountDeleted.title}
      above={<Emblem icon="check" />}
      lead={accountDeleted.lead}
    >
      <p>{accountDeleted.text}</p>
    </Screen>
  );
}
