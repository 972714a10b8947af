import { Notice } from '../kit/notice.tsx';
import { useWords } from './words/use-words.ts';
import './lost-action.css';

/** Why what a person did was not done: their session had ended, or somebody else signed in in this browser. */
export type LossReason = 'signed-out' | 'other-person';

interface LostActionProps {
  reason: LossReason | null;
  /** The person has signed in again since. */
  isSignedIn?: boolean;
}

/** Says so before and after signing in again; nothing where nothing was lost. */
export function LostAction({ reason, isSignedIn = false }: LostActionProps) {
  const { lostAction } = useWords();
  if (reason === null) return null;
  const text =
    reason === 'other-person'
      ? lostAction.otherPerson
      : isSignedIn
        ? lostAction.doAgain
        : lostAction.signInAgain;
  return (
    <div role="alert" className={isSignedIn ? 'lost-action' : undefined}>
      <Notice kind="warning">{text}</Notice>
    </div>
  );
}
