import type { Batch } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import type { PersonProps } from '../person-query.ts';
import { useWords } from '../words/use-words.ts';
import { useBatchAction } from './use-batch-action.ts';
import type { FinishAction } from './use-finish.ts';

interface RemoveBatchProps {
  batch: Batch;
  /** Its files, or where it is from. */
  subject: string;
  personProps: PersonProps;
  finish: FinishAction;
}

/** Takes a batch out of the record, after a question. */
export function RemoveBatch({ batch, subject, personProps, finish }: RemoveBatchProps) {
  const { api } = useAppDeps();
  const { remove } = useWords().myData.documents;
  const act = useBatchAction({ personProps, finish });
  return (
    <ConfirmButton
      variant="quiet"
      label={remove.label}
      subject={subject}
      title={remove.title}
      confirmLabel={remove.yes}
      cancelLabel={remove.no}
      onConfirm={async () => act(() => api.removeMyUpload(batch.batchId), remove.done)}
    >
      <p>{remove.text}</p>
      <p>{remove.apps}</p>
    </ConfirmButton>
  );
}
