import { useState } from 'react';
import type { StepNavigation } from '../../../kit/navigation.ts';
import type { Person } from '../../../patient/account-api.ts';
import { getPersonKey } from '../../../patient/same-person.ts';
import type { Step } from '../../../patient/step.ts';
import { useAppDeps } from '../app-deps.ts';
import type { Draft } from '../draft/use-draft.ts';

interface IdentityOptions {
  draft: Draft;
  person: Person;
  evidenceOwner: string;
  navigation: StepNavigation<Step>;
  /** Asks the service anew: another tab may have chosen something since this one was opened. */
  refresh: () => Promise<unknown>;
}

/**
 * Why somebody says once more who they are. `missing`: the picture of it did not arrive; `unsaved`: likewise, and so their answer
 * was not taken; `next`: it belongs to the decision before, which is saved.
 */
export type AgainReason = 'missing' | 'unsaved' | 'next';

interface Identity {
  /** The person has to say who they are before they go on. */
  isAsked: boolean;
  /** They have said it before, but there is no picture of it. */
  again: AgainReason | null;
  onConfirmed: () => Promise<void>;
  confirmAgain: () => void;
}

/** Whether the person at the screen has said who they are, with the picture of it that their decision needs. */
export function useIdentity(options: IdentityOptions): Identity {
  const { draft, person, evidenceOwner, navigation, refresh } = options;
  const { evidence } = useAppDeps();
  const { step, go } = navigation;
  const [missing, setMissing] = useState<'missing' | 'unsaved' | null>(() =>
    evidence.has(evidenceOwner, 'who-is-this') || draft.findScreen('who-is-this') !== null ? null : 'missing',
  );
  const isConfirmed = step?.at === 'confirmed' && step.person === getPersonKey(person);
  return {
    isAsked: missing !== null || !isConfirmed,
    again: isConfirmed ? missing : null,
    async onConfirmed() {
      await refresh();
      setMissing(null);
      if (!isConfirmed) go({ at: 'confirmed', person: getPersonKey(person) });
    },
    confirmAgain: () => setMissing('unsaved'),
  };
}
