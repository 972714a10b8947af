import { Busy } from '../../../look/busy.tsx';
import { Button } from '../../../look/button.tsx';
import { ErrorSummary } from '../../../look/form.tsx';
import type { Interaction, Person } from '../api/api.ts';
import { clientName } from '../request/client-name.ts';
import type { Decide } from '../request/request.tsx';
import { Screen } from '../screen.tsx';
import { useTask } from '../task.ts';
import { failureText } from '../words/failure.ts';
import { useLanguage } from '../words/language.tsx';
import { SECTIONS } from './sections.tsx';
import './review.css';

interface ReviewProps {
  interaction: Interaction;
  person: Person;
  decide: Decide;
}

export function Review({ interaction, person, decide }: ReviewProps) {
  const { words } = useLanguage();
  const { review } = words;
  return (
    <Screen name="review" title={review.title(clientName(interaction.client, words))}>
      <div>
        {SECTIONS.map((Section) => (
          <Section key={Section.name} interaction={interaction} />
        ))}
        <section className="decision">
          <h2>{review.decide}</h2>
          <p>{review.signing(`${person.firstName} ${person.lastName}`, person.email)}</p>
          <Decision decide={decide} />
        </section>
      </div>
    </Screen>
  );
}

/** Yes and no alike in size, weight and distance; neither is chosen before. */
function Decision({ decide }: { decide: Decide }) {
  const { words, language } = useLanguage();
  const { busy, trouble, run } = useTask();
  const say = (decision: 'grant' | 'deny') => () => run(async () => decide(decision, 'review'));
  return (
    <>
      {trouble && (
        <ErrorSummary
          title={words.common.problem}
          faults={[{ text: failureText(trouble, words, language) }]}
        />
      )}
      <div className="buttons">
        <Button look="strong" busy={busy} onPress={say('grant')}>
          {words.review.allow}
        </Button>
        <Button look="strong" busy={busy} onPress={say('deny')}>
          {words.review.deny}
        </Button>
      </div>
      <Busy busy={busy} text={words.common.oneMoment} />
    </>
  );
}
