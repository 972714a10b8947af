import { ErrorSummary } from '../../../kit/form.tsx';
import { Button } from '../../../kit/button.tsx';
import { useTask } from '../../../kit/task.ts';
import type { Batch } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import type { PersonProps } from '../person-query.ts';
import { useLanguage } from '../words/use-words.ts';
import { useBatchAction } from './use-batch-action.ts';
import type { FinishAction } from './use-finish.ts';
import { formatUploadError } from './file-upload.tsx';

interface ReadAgainProps {
  batch: Batch;
  /** Its files, or where it is from. */
  subject: string;
  personProps: PersonProps;
  finish: FinishAction;
}

/** Reads what took too long once more. It changes nothing else, so it asks nothing. */
export function ReadAgain({ batch, subject, personProps, finish }: ReadAgainProps) {
  const { api } = useAppDeps();
  const { words, language } = useLanguage();
  const { readAgain } = words.myData.documents;
  const { busy, refusal, run } = useTask();
  const act = useBatchAction({ personProps, finish });
  const start = async (): Promise<void> => act(() => api.readMyUploadAgain(batch.batchId), readAgain.done);
  return (
    <div className="stack">
      <p>{readAgain.text}</p>
      {refusal !== null && (
        <ErrorSummary
          title={words.common.problem}
          errors={[{ text: formatUploadError(refusal, words, language) }]}
        />
      )}
      <div>
        <Button busy={busy} onPress={() => run(start)}>
          <span>
            {readAgain.label}
            <span className="hidden-visually"> {subject}</span>
          </span>
        </Button>
      </div>
    </div>
  );
}
