import { Refusal } from '../../../kit/http/refusal.ts';
import { useGuardedAction, type PersonProps } from '../person-query.ts';
import type { Words } from '../words/en.ts';
import { useWords } from '../words/use-words.ts';
import type { FinishAction } from './use-finish.ts';

interface BatchActionOptions {
  personProps: PersonProps;
  finish: FinishAction;
}

/**
 * Acts on a batch and shows the list anew, with what was done. What was done with the batch in another tab meanwhile is said
 * likewise: it is no failure.
 */
export function useBatchAction({
  personProps,
  finish,
}: BatchActionOptions): (action: () => Promise<unknown>, done: string) => Promise<void> {
  const { myData } = useWords();
  const runGuarded = useGuardedAction(personProps);
  return async (action, done) => {
    try {
      if (await runGuarded(action)) await finish(done);
    } catch (error) {
      const text = error instanceof Refusal ? formatMeanwhile(error, myData) : null;
      if (text === null) throw error;
      await finish(text);
    }
  };
}

function formatMeanwhile({ status, code }: Refusal, myData: Words['myData']): string | null {
  if (status === 404) return myData.documents.remove.gone;
  return code === 'upload_unfinished' || code === 'nothing_unread' ? myData.changedMeanwhile : null;
}
