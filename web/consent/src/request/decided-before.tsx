import { Button } from '../../../kit/button.tsx';
import { Emblem } from '../../../kit/emblem.tsx';
import { formatClientName } from '../../../patient/client-name.ts';
import { Screen } from '../../../patient/screen.tsx';
import type { Interaction } from '../api.ts';
import { MyDataLink } from '../my-data-link.tsx';
import { useWords } from '../words/use-words.ts';

interface DecidedBeforeProps {
  interaction: Interaction;
  /** Goes on with the answer that counts. */
  onGoOn: () => void;
}

/** Says that an answer was not recorded, since the request had been answered in another window, and what counts. */
export function DecidedBefore({ interaction, onGoOn }: DecidedBeforeProps) {
  const words = useWords();
  const { decidedBefore } = words;
  const { status } = interaction;
  const client = formatClientName(interaction.client, words);
  return (
    <Screen
      name="decided-before"
      title={decidedBefore.title}
      above={<Emblem icon="warning" kind="warning" />}
      lead={decidedBefore.lead}
    >
      <p>
        {status === 'denied'
          ? decidedBefore.denied(client)
          : status === 'closed'
            ? decidedBefore.closed
            : decidedBefore.granted(client)}
      </p>
      <div className="buttons">
        {status !== 'closed' && (
          <Button variant="strong" onPress={onGoOn}>
            {decidedBefore.goOn(client)}
          </Button>
        )}
        <MyDataLink />
      </div>
    </Screen>
  );
}
