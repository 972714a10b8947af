import { Notice } from '../kit/notice.tsx';
import type { Person } from './account-api.ts';
import { useWords } from './words/use-words.ts';
import './lost-action.css';

/** Why what a person did was not done: their session had ended, or somebody else signed in in this browser. */
export type LossReason = 'signed-out' | 'other-person';

export interface Loss {
  reason: LossReason;
  /** Whose it was. */
  email: string;
}

interface LostActionProps {
  lost: Loss | null;
  /** Who has signed in since. */
  person?: Person | null;
}

/** Says so before and after signing in again; nothing where nothing was lost. */
export function LostAction({ lost, person = null }: LostActionProps) {
  const { lostAction } = useWords();
  if (lost === null) return null;
  const isOther = lost.reason === 'other-person' || (person !== null && person.email !== lost.email);
  const again = person === null ? lostAction.signInAgain : lostAction.doAgain;
  return (
    <div role="alert" className={person === null ? undefined : 'lost-action'}>
      <Notice kind="warning">{isOther ? lostAction.otherPerson : again}</Notice>
    </div>
  );
}
