import type { ClientApp } from '../../../../contract/organization/clients.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { useToast } from '../kit/toasts.tsx';
import { formatAppName } from './app-names.tsx';
import { useAppWords } from './use-app-words.ts';
import { useJudge } from './use-judge.ts';

interface TakeBackDialogProps {
  app: ClientApp;
  onClose: () => void;
}

/** Lets a blocked app ask again, or no longer vouches for one. */
export function TakeBackDialog({ app, onClose }: TakeBackDialogProps) {
  const words = useAppWords();
  const judge = useJudge(app.id);
  const toast = useToast();
  const name = formatAppName(app, words);
  // The page behind shows the new judgement before the dialog is gone.
  const { unblockTitle, unvouchTitle, unblock, unvouch, submit, done } = words.takeBack;
  const isBlocked = app.judgement === 'blocked';
  return (
    <ConfirmDialog
      title={isBlocked ? unblockTitle(name) : unvouchTitle(name)}
      confirm={submit}
      onConfirm={async () => {
        await judge({ judgement: 'new' });
        toast(done(name));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{isBlocked ? unblock : unvouch}</p>
    </ConfirmDialog>
  );
}
