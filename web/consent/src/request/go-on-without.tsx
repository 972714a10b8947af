import { Button } from '../../../kit/button.tsx';
import { Emblem } from '../../../kit/emblem.tsx';
import { formatList } from '../../../kit/format-list.ts';
import { Screen } from '../../../patient/screen.tsx';
import { useLanguage } from '../words/use-words.ts';

interface GoOnWithoutProps {
  /** The sources that do not answer. */
  names: readonly string[];
  onGoOn: () => void;
}

/** Says whose records are fetched later, since nothing after this page does. */
export function GoOnWithout({ names, onGoOn }: GoOnWithoutProps) {
  const { words, language } = useLanguage();
  const { goOnWithout } = words;
  return (
    <Screen
      name="go-on"
      above={<Emblem icon="waiting" />}
      title={goOnWithout.title}
      lead={goOnWithout.text(formatList(names, language))}
    >
      <Button variant="strong" onPress={onGoOn}>
        {goOnWithout.goOn}
      </Button>
    </Screen>
  );
}
