import { Button } from '../../../look/button.tsx';
import { ErrorSummary } from '../../../look/form.tsx';
import { useTask } from '../task.ts';
import { failureText } from '../words/failure.ts';
import { useLanguage } from '../words/language.tsx';
import type { Decide } from './decide.ts';

/** The way back without an account: to say no needs no sign-in. */
export function Refuse({ client, decide }: { client: string; decide: Decide }) {
  const { words, language } = useLanguage();
  const { busy, trouble, run } = useTask();
  return (
    <div className="aside">
      {trouble && (
        <ErrorSummary
          title={words.common.problem}
          faults={[{ text: failureText(trouble, words, language) }]}
        />
      )}
      <Button look="quiet" busy={busy} onPress={() => run(async () => decide('deny', 'sign-in'))}>
        {words.asker.refuse(client)}
      </Button>
    </div>
  );
}
