import { Emblem } from '../../../kit/emblem.tsx';
import { Screen } from '../screen.tsx';
import { useWords } from '../words/language.tsx';

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
