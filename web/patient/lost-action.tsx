import { Notice } from '../kit/notice.tsx';
import type { Person } from './account-api.ts';
import { isSamePerson } from './same-person.ts';
import { useWords } from './words/use-words.ts';
import './lost-action.css';

/**
 * Why what a person did was not done: their session had ended, somebody else signed in in this browser, or what they decided on
 * had been decided in another window.
 */
export type LossReason = 'signed-out' | 'other-person' | 'decided-before';

export interface Loss {
  reason: LossReason;
  /** Whose it was; null where nobody had signed in. */
  person: Person | null;
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
  const isOther =
    lost.reason === 'other-person' ||
    (person !== null && lost.person !== null && !isSamePerson(person, lost.person));
  const again = person === null ? lostAction.signInAgain : lostAction.doAgain;
  const isDecided = lost.reason === 'decided-before';
  return (
    <div role="alert" className={person === null ? undefined : 'lost-action'}>
      <Notice kind="warning">
        {isDecided ? lostAction.decidedBefore : isOther ? lostAction.otherPerson : again}
      </Notice>
    </div>
  );
}
