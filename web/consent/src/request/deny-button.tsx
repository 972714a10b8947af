import { Button } from '../../../kit/button.tsx';
import { ErrorSummary } from '../../../kit/form.tsx';
import { useTask } from '../task.ts';
import { formatFailure } from '../words/format-failure.ts';
import { useLanguage } from '../words/language.tsx';
import type { Decide } from './use-decide.ts';

/** The way back without an account: to say no needs no sign-in. */
export function DenyButton({ client, decide }: { client: string; decide: Decide }) {
  const { words, language } = useLanguage();
  const { busy, failure, run } = useTask();
  return (
    <div className="aside">
      {failure && (
        <ErrorSummary
          title={words.common.problem}
          errors={[{ text: formatFailure(failure, words, language) }]}
        />
      )}
      <Button variant="quiet" busy={busy} onPress={() => run(async () => decide('deny', 'sign-in'))}>
        {words.requester.deny(client)}
      </Button>
    </div>
  );
}
